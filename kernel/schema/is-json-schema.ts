const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const WORDS = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const'];

/**
 * Tells a schema from an example value: what TypeBox made, and plain objects with a `type` of JSON Schema or one of its
 * combining keywords.
 */
export function isJsonSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('~kind' in value || '~unsafe' in value) return true;
  return TYPES.has(String((value as { type?: unknown }).type)) || WORDS.some((word) => word in value);
}
