import { isJsonSchema } from './is-json-schema.js';
import { schemaParts } from './schema-parts.js';

// What a schema without `type` and without alternatives may begin with (JSON Schema 2020-12).
const PARTS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'not', 'if'];
const RULES = [
  ...['required', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'contentEncoding', 'contentMediaType', '$id', '$schema', '$anchor', '$dynamicRef'],
  ...['$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'nullable'],
];
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/**
 * The first part of a schema that is none: a number, a class, an unknown type, or an object without a word of JSON Schema, such as
 * `{ page: Type.Integer() }`, which would let everything pass. Unknown words beside known ones are annotations.
 *
 * @returns undefined when every part is a schema
 */
export function noSchemaIn(value: unknown, seen = new Set<unknown>()): { readonly part: unknown } | undefined {
  if (typeof value === 'boolean' || seen.has(value)) return undefined;
  seen.add(value);
  if (!saysSomething(value)) return { part: value };
  for (const part of schemaParts(value)) {
    const found = noSchemaIn(part, seen);
    if (found) return found;
  }
  return undefined;
}

function saysSomething(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if ('~kind' in value || '~unsafe' in value) return true;
  const { type } = value as { readonly type?: unknown };
  if (isJsonSchema(value)) return type === undefined || [type].flat().every((each) => TYPES.has(String(each)));
  if (Object.keys(value).length === 0) return true;
  const held = value as Readonly<Record<string, unknown>>;
  // A member may have the name of a rule, as `title` of `{ title: Type.String() }`.
  return type === undefined && [...PARTS.filter((name) => name in held), ...RULES.filter((name) => name in held && !isJsonSchema(held[name]))].length > 0; // prettier-ignore
}
