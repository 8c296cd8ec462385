import { isObject, type JsonObject } from './json-object.js';

/** Nesting that is followed; deeper schemas stay as they are. */
const MAX_DEPTH = 64;

const MAPS = ['properties', 'patternProperties'] as const;
const PARTS = ['allOf', 'anyOf', 'oneOf'] as const;
const BRANCHES = ['if', 'then', 'else'] as const;

/**
 * A copy of a schema that also notices members which nothing names: `unevaluatedProperties: false` wherever a value may
 * stand, but not inside compositions, whose parts each know only some of the members (JSON Schema 2020-12, section 11.3).
 * The schemas under `components` are treated the same, so that references keep working.
 */
export function closedSchema(schema: JsonObject, document: JsonObject): JsonObject {
  const components = isObject(document['components']) ? document['components'] : {};
  const schemas = isObject(components['schemas']) ? components['schemas'] : {};
  const closed = Object.fromEntries(
    Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? inside(each, 0) : each]),
  );
  return { ...place(schema, 0), components: { ...components, schemas: closed } };
}

/** A schema at which a value stands. */
function place(schema: JsonObject, depth: number): JsonObject {
  const copy = inside(schema, depth);
  const saysItself = 'additionalProperties' in copy || 'unevaluatedProperties' in copy;
  // A schema that names no members at all means any object.
  const namesMembers = MAPS.some((key) => key in copy) || PARTS.some((key) => key in copy) || '$ref' in copy;
  return saysItself || !namesMembers ? copy : { ...copy, unevaluatedProperties: false };
}

/** A schema's own places; the schema itself stays open. */
function inside(schema: JsonObject, depth: number): JsonObject {
  // An id would make references in it relative to somewhere else.
  const { $id: _id, ...copy } = schema as Record<string, unknown>;
  if (depth >= MAX_DEPTH) return copy;
  for (const key of MAPS) if (isObject(copy[key])) copy[key] = mapped(copy[key], (each) => place(each, depth + 1));
  for (const key of PARTS) {
    const parts = copy[key];
    if (Array.isArray(parts))
      copy[key] = parts.map((part) => (isObject(part) ? inside(part, depth + 1) : (part as unknown)));
  }
  for (const key of BRANCHES) if (isObject(copy[key])) copy[key] = inside(copy[key], depth + 1);
  for (const key of ['items', 'additionalProperties', 'contains']) {
    if (isObject(copy[key])) copy[key] = place(copy[key], depth + 1);
  }
  return copy;
}

function mapped(schemas: JsonObject, change: (schema: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, each]) => [name, isObject(each) ? change(each) : each]),
  );
}
