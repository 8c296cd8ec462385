import type { TSchema } from 'typebox';
import { issuesFrom, type AjvFunction } from './issues.js';
import type { Validator } from './validator.js';

const tables = new Set<Readonly<Record<string, AjvFunction>>>();

/**
 * Key of a generated validator: a digest of the schema's JSON text. A schema that has changed since code generation finds no validator
 * under its key and is compiled.
 */
export function validatorDigest(schema: TSchema): string {
  // Loaded with the first schema, because node:crypto loads slowly and a library that checks nothing does not need it.
  return process.getBuiltinModule('node:crypto').createHash('sha1').update(JSON.stringify(schema)).digest('hex');
}

/**
 * Hands over validators that `fw codegen` generated (Ajv standalone code), keyed by {@link validatorDigest}. Call it before
 * the first value is checked.
 */
export function registerPrecompiled(table: Readonly<Record<string, AjvFunction>>): void {
  // The table is read only on lookup, because it may make its validators lazily.
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
