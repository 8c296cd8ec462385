import { isObject } from '../values/index.js';
import { isJsonSchema, isOfTypebox, JSON_TYPES } from './is-json-schema.js';
import { schemaParts } from './schema-parts.js';

// What a schema without `type` and without alternatives may begin with (JSON Schema 2020-12).
const PARTS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'not', 'if'];
const RULES = [
  ...['required', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['dependentRequired', 'contentEncoding', 'contentMediaType', '$id', '$schema', '$anchor', '$dynamicRef'],
  ...['$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'nullable'],
];

/**
 * The first part of a schema that is not a schema itself: a number, a class, an unknown type, or an object without a word of JSON Schema,
 * such as `{ page: Type.Integer() }`, which would let everything pass. Unknown words beside known ones are annotations.
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
  if (!isObject(value)) return false;
  if (isOfTypebox(value)) return true;
  const { type } = value;
  if (isJsonSchema(value)) return type === undefined || [type].flat().every((each) => JSON_TYPES.has(String(each)));
  if (Object.keys(value).length === 0) return true;
  if (type !== undefined) return false;
  // A member may have the name of a rule, as `title` of `{ title: Type.String() }`.
  const isRule = (name: string) => name in value && !isJsonSchema(value[name]);
  return PARTS.some((name) => name in value) || RULES.some(isRule);
}
