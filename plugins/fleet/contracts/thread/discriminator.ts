import { isObject, type JsonObject } from '../json-object.js';
import { pointerParts } from './json-pointer.js';

/** Fits every value, and knows all its members. */
const ANYTHING: JsonObject = { unevaluatedProperties: true };

const ALTERNATIVES = ['oneOf', 'anyOf'] as const;

/**
 * Alternatives with a discriminator as conditions on its value (OpenAPI 3.1, section 4.8.25): a value is checked against the one schema
 * that it names, not against all of them.
 *
 * @param copy - a schema that may be changed; its alternatives are references
 * @returns the schema itself where there is no discriminator, or where an alternative has no name
 */
export function discriminated(copy: JsonObject): JsonObject {
  const { discriminator, ...rest } = copy;
  const keyword = ALTERNATIVES.find((each) => Array.isArray(copy[each]));
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string' || keyword === undefined)
    return copy;
  const parts = copy[keyword] as readonly unknown[];
  const references = parts.flatMap((each) => (isReference(each) ? [each.$ref] : []));
  const others = parts.filter((each) => !isReference(each));
  if (references.length === 0 || !others.every(isNull)) return copy;
  const schemas = schemasByValue(references, discriminator['mapping']);
  const chosen = conditionsOn(discriminator['propertyName'], schemas);
  const { [keyword]: _parts, allOf, ...own } = rest as Record<string, unknown>;
  const wanted = others.length === 0 ? chosen : [{ anyOf: [{ type: 'null' }, { allOf: chosen }] }];
  return { ...own, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), ...wanted] };
}

/** Whether a schema has a discriminator for the schemas derived from it, which may have further members. */
export function isBaseOfOthers(schema: JsonObject): boolean {
  return isObject(schema['discriminator']) && !ALTERNATIVES.some((each) => each in schema);
}

// Schemas by discriminator value: their own names, and those of the mapping. Mappings to other schemas are not checked.
function schemasByValue(references: readonly string[], mapping: unknown): ReadonlyMap<string, JsonObject> {
  const schemas = new Map<string, JsonObject>(references.map(($ref) => [lastOf($ref), { $ref }]));
  for (const [value, target] of Object.entries(isObject(mapping) ? mapping : {})) {
    const $ref = references.find((each) => each === target || lastOf(each) === target);
    schemas.set(value, $ref === undefined ? ANYTHING : { $ref });
  }
  return schemas;
}

function conditionsOn(name: string, schemas: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
  const conditions = [...schemas].map(([value, then]) => ({
    if: { properties: { [name]: { const: value } }, required: [name] },
    then,
  }));
  return [{ type: 'object', required: [name], properties: { [name]: { enum: [...schemas.keys()] } } }, ...conditions];
}

function isReference(part: unknown): part is { readonly $ref: string } {
  return isObject(part) && typeof part['$ref'] === 'string';
}

function isNull(part: unknown): boolean {
  return isObject(part) && part['type'] === 'null';
}

function lastOf(reference: string): string {
  return pointerParts(reference)?.at(-1) ?? reference;
}
