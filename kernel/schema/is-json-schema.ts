import { isObject } from '../values/index.js';

/** The types of JSON Schema. */
export const JSON_TYPES: ReadonlySet<string> = new Set([
  'object',
  'array',
  'string',
  'number',
  'integer',
  'boolean',
  'null',
]);
const WORDS = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'];

/**
 * Tells a schema from an example value: what TypeBox made, and plain objects with a `type` of JSON Schema or one of its
 * combining keywords.
 */
export function isJsonSchema(value: unknown): boolean {
  if (!isObject(value)) return false;
  return isOfTypebox(value) || JSON_TYPES.has(String(value['type'])) || WORDS.some((word) => word in value);
}

/** Whether TypeBox made a schema. */
export const isOfTypebox = (schema: object): boolean => '~kind' in schema || '~unsafe' in schema;
