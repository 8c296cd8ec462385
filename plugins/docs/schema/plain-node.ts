import { BIGINT, FILE_MEDIA_TYPE, isFileSchema, type JsonSchema } from '../../../kernel/index.js';
import { exactInteger } from '../../../kernel/schema/index.js';

const NOTHING: JsonSchema = { not: {} };

// Wire schemas of TypeBox types that JSON does not have.
const BESIDE_JSON: Readonly<Record<string, JsonSchema>> = {
  bigint: BIGINT,
  Date: { type: 'string', format: 'date-time' },
  Uint8Array: { type: 'string', contentEncoding: 'base64' },
  undefined: NOTHING,
  void: NOTHING,
  symbol: NOTHING,
  function: NOTHING,
  constructor: NOTHING,
};

/**
 * One node of a schema in terms of JSON Schema 2020-12: TypeBox's own types, tuples in the style of draft 7, and OpenAPI 3.0's `nullable`
 * and `example` are converted, and integers are limited as validation limits them. Nodes below are not changed.
 */
export function plainNode(schema: JsonSchema): JsonSchema {
  if (isFileSchema(schema)) return fileNode(schema);
  const { type } = schema;
  const known = typeof type === 'string' && Object.hasOwn(BESIDE_JSON, type) ? BESIDE_JSON[type] : undefined;
  let node = known ? { ...withoutType(schema), ...known } : exactInteger(schema);
  if (Array.isArray(node['items'])) node = tuple(node);
  if (node['nullable'] === true) node = nullable(node);
  if (Array.isArray(node['anyOf'])) node = enumeration(node);
  if ('example' in node && !('examples' in node)) node = { ...node, examples: [node['example']] };
  return node;
}

// The handler gets a path and a size; what is sent is the file (OpenAPI 3.1, section 4.8.14.2). Many generators of clients know a file by the
// format of OpenAPI 3.0 alone, and make a text of it without.
function fileNode({ description }: JsonSchema): JsonSchema {
  const file = { type: 'string', format: 'binary', contentMediaType: FILE_MEDIA_TYPE };
  return { ...file, ...(description !== undefined && { description }) };
}

function withoutType({ type: _, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function tuple({ items, additionalItems, ...rest }: JsonSchema): JsonSchema {
  const more = additionalItems === undefined ? {} : { items: additionalItems };
  // The metaschema requires at least one item.
  return (items as unknown[]).length === 0 ? { ...rest, ...more } : { ...rest, prefixItems: items, ...more };
}

function nullable({ nullable: _, ...schema }: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = [...new Set([type, 'null'].flat())];
  return {
    ...schema,
    type: types,
    ...(Array.isArray(values) && { enum: [...new Set([...(values as unknown[]), null])] }),
  };
}

// A union of literals is written as an enum, which every viewer shows in one line.
function enumeration(schema: JsonSchema): JsonSchema {
  const { anyOf: branches, ...rest } = schema;
  const literals = (branches as readonly JsonSchema[]).map(literalOf);
  if (literals.length < 2 || literals.includes(undefined)) return schema;
  const values = (literals as readonly { readonly value: unknown }[]).map(({ value }) => value);
  const types = [...new Set(values.map(typeOf))];
  return { ...rest, type: types.length === 1 ? types[0] : types, enum: [...new Set(values)] };
}

function literalOf(branch: unknown): { readonly value: unknown } | undefined {
  if (typeof branch !== 'object' || branch === null) return undefined;
  const { const: value, type } = branch as JsonSchema;
  if (type === 'null' && Object.keys(branch).length === 1) return { value: null };
  const known = ['string', 'number', 'boolean'].includes(typeof value);
  return known && Object.keys(branch).every((key) => key === 'const' || key === 'type') ? { value } : undefined;
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
