import { isObject, type JsonObject } from '../json-object.js';

/** Nesting that is followed; deeper schemas stay as they are. */
const MAX_DEPTH = 64;

const MAPS = ['properties', 'patternProperties'] as const;
const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;
const BRANCHES = ['if', 'then', 'else'] as const;
const DEFINITIONS = ['$defs', 'definitions', 'dependentSchemas'] as const;

/**
 * A copy of a schema at which a value stands, which also notices members that nothing names: `unevaluatedProperties: false`
 * wherever a value may stand, but not inside compositions, whose parts each know only some of the members (JSON Schema 2020-12,
 * section 11.3).
 */
export function closedSchema(schema: JsonObject, depth = 0): JsonObject {
  const copy = openSchema(schema, depth);
  const saysItself = 'additionalProperties' in copy || 'unevaluatedProperties' in copy;
  // A schema that names no members at all means any object.
  const namesMembers = MAPS.some((key) => key in copy) || PARTS.some((key) => key in copy) || '$ref' in copy;
  return saysItself || !namesMembers ? copy : { ...copy, unevaluatedProperties: false };
}

/** A copy whose own places are closed and which itself stays open: a schema that others refer to. */
export function openSchema(schema: JsonObject, depth = 0): JsonObject {
  const copy = withoutNames(schema);
  if (depth >= MAX_DEPTH) return copy;
  const closed = (each: JsonObject) => closedSchema(each, depth + 1);
  const open = (each: JsonObject) => openSchema(each, depth + 1);
  for (const key of MAPS) if (isObject(copy[key])) copy[key] = mapped(copy[key], closed);
  for (const key of DEFINITIONS) if (isObject(copy[key])) copy[key] = mapped(copy[key], open);
  for (const key of PARTS) {
    const parts = copy[key];
    if (Array.isArray(parts)) copy[key] = parts.map((part) => (isObject(part) ? open(part) : (part as unknown)));
  }
  for (const key of BRANCHES) if (isObject(copy[key])) copy[key] = open(copy[key]);
  for (const key of ['items', 'additionalProperties', 'contains']) {
    if (isObject(copy[key])) copy[key] = closed(copy[key]);
  }
  return copy;
}

// An id or an anchor would make references in the schema relative to somewhere else; examples are no schemas.
function withoutNames(schema: JsonObject): Record<string, unknown> {
  const { $id: _id, $anchor: _anchor, $dynamicAnchor: _dynamic, example: _one, examples: _many, ...copy } = schema;
  return nullAsType(exclusiveAsNumber(copy));
}

// OpenAPI 3.0 has the keyword of JSON Schema draft 4: a boolean beside the bound.
function exclusiveAsNumber(copy: Record<string, unknown>): Record<string, unknown> {
  for (const [exclusive, bound] of [['exclusiveMinimum', 'minimum'], ['exclusiveMaximum', 'maximum']] as const) {
    if (typeof copy[exclusive] !== 'boolean') continue;
    const { [exclusive]: isExclusive, [bound]: limit, ...rest } = copy;
    copy = isExclusive ? { ...rest, [exclusive]: limit } : { ...rest, [bound]: limit };
    if (limit === undefined) delete copy[isExclusive ? exclusive : bound];
  } // prettier-ignore
  return copy;
}

// `nullable` of OpenAPI 3.0 stands beside a type; many documents have it beside `allOf` or `enum`, and mean the same.
function nullAsType(copy: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...rest } = copy;
  if (nullable === undefined || (nullable === true && 'type' in copy)) return copy;
  return nullable === true ? { anyOf: [{ type: 'null' }, rest] } : rest;
}

function mapped(schemas: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? change(each) : each]),
  );
}
