import type { TSchema } from 'typebox';
import { issuesFrom, type AjvFunction } from './issues.js';
import type { Validator } from './validator.js';

const tables = new Set<Readonly<Record<string, AjvFunction>>>();

/**
 * Identity of a validator: the schema's JSON text. Code generation and run time compute it
 * the same way, so a schema that changed since code generation simply finds no code and is compiled.
 */
export function validatorDigest(schema: TSchema): string {
  // Loaded with the first schema: node:crypto is dear, and a library that checks nothing needs none of it.
  return process.getBuiltinModule('node:crypto').createHash('sha1').update(JSON.stringify(schema)).digest('hex');
}

/**
 * Hands over validators that `fw codegen` generated (Ajv standalone code), keyed by {@link validatorDigest}. Call it before
 * the first value is checked.
 */
export function registerPrecompiled(table: Readonly<Record<string, AjvFunction>>): void {
  // Read when it is asked for something: a table may make its validators only then.
  tables.add(table);
}

/** The generated validator of a schema, if there is one. */
export function precompiledFor(schema: TSchema): Validator | undefined {
  if (tables.size === 0) return undefined;
  const digest = validatorDigest(schema);
  for (const table of tables) {
    if (!Object.hasOwn(table, digest)) continue;
    const check = table[digest] as AjvFunction;
    return { check: (value) => issuesFrom(check, value) };
  }
  return undefined;
}
