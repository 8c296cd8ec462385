import type { TSchema } from 'typebox';
import { issuesFrom, type AjvFunction } from './issues.js';
import type { Validator } from './validator.js';

const compiled = new Map<string, AjvFunction>();

/**
 * Identity of a validator: the schema's JSON text and whether values are coerced. Code generation and run time compute it
 * the same way, so a schema that changed since code generation simply finds no code and is compiled.
 */
export function validatorDigest(schema: TSchema, coerce: boolean): string {
  // Loaded with the first schema: node:crypto is dear, and a library that checks nothing needs none of it.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha1')
    .update(coerce ? 'coerce:' : 'strict:')
    .update(JSON.stringify(schema))
    .digest('hex');
}

/**
 * Hands over validators that `fw codegen` generated (Ajv standalone code), keyed by {@link validatorDigest}. Call it before
 * the first value is checked.
 */
export function registerPrecompiled(table: Readonly<Record<string, AjvFunction>>): void {
  for (const [digest, check] of Object.entries(table)) compiled.set(digest, check);
}

/** The generated validator of a schema, if there is one. */
export function precompiledFor(schema: TSchema, coerce: boolean): Validator | undefined {
  if (compiled.size === 0) return undefined;
  const check = compiled.get(validatorDigest(schema, coerce));
  return check && { check: (value) => issuesFrom(check, value) };
}
