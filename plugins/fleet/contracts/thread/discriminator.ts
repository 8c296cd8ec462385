import { isObject } from '../../../../kernel/values/index.js';
import type { JsonObject } from '../json-object.js';
import { pointerParts } from './json-pointer.js';

/** Fits every value, and knows all its members. */
const ANYTHING: JsonObject = { unevaluatedProperties: true };

const ALTERNATIVES = ['oneOf', 'anyOf'] as const;

/** The values that a schema of the document allows for a member; empty where it does not list them. */
export type ListedValues = (reference: string, member: string) => readonly unknown[];

/**
 * Alternatives with a discriminator as conditions on its value (OpenAPI 3.1, section 4.8.25): a value is checked against the one schema
 * that it names, not against all of them. Without a mapping the name is that of the schema; schemas that list values of their own for it
 * (`const`, `enum`) are named by these.
 *
 * @param copy - a schema that may be changed; its alternatives are references
 * @returns the schema itself where there is no discriminator, or where an alternative has no name
 */
export function discriminated(copy: JsonObject, listedValues: ListedValues): JsonObject {
  const { discriminator, ...rest } = copy;
  const keyword = ALTERNATIVES.find((each) => Array.isArray(copy[each]));
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string' || keyword === undefined)
    return copy;
  const parts = copy[keyword] as readonly unknown[];
  const references = parts.flatMap((each) => (isReference(each) ? [each.$ref] : []));
  const others = parts.filter((each) => !isReference(each));
  if (references.length === 0 || !others.every(isNull)) return copy;
  const member = discriminator['propertyName'];
  const named = namedSchemas(references, (reference) => listedValues(reference, member));
  const chosen = conditionsOn(member, withMapping(named, references, discriminator['mapping']), keyword);
  const { [keyword]: _parts, allOf, ...own } = rest as Record<string, unknown>;
  const wanted = others.length === 0 ? chosen : [{ anyOf: [{ type: 'null' }, { allOf: chosen }] }];
  return { ...own, allOf: [...(Array.isArray(allOf) ? (allOf as unknown[]) : []), ...wanted] };
}

/** Whether a schema has a discriminator for the schemas derived from it, which may have further members. */
export function isBaseOfOthers(schema: JsonObject): boolean {
  return isObject(schema['discriminator']) && !ALTERNATIVES.some((each) => each in schema);
}

/** Schemas by value of the discriminator. Several may share one. */
type Named = Map<unknown, readonly JsonObject[]>;

function namedSchemas(references: readonly string[], listed: (reference: string) => readonly unknown[]): Named {
  const schemas: Named = new Map();
  for (const $ref of references) {
    const own = listed($ref);
    for (const value of own.length > 0 ? own : [lastOf($ref)]) {
      schemas.set(value, [...(schemas.get(value) ?? []), { $ref }]);
    }
  }
  return schemas;
}

// Mappings to other schemas are not checked.
function withMapping(schemas: Named, references: readonly string[], mapping: unknown): Named {
  for (const [value, target] of Object.entries(isObject(mapping) ? mapping : {})) {
    const $ref = references.find((each) => each === target || lastOf(each) === target);
    schemas.set(value, [$ref === undefined ? ANYTHING : { $ref }]);
  }
  return schemas;
}

function conditionsOn(name: string, schemas: Named, keyword: string): readonly JsonObject[] {
  const conditions = [...schemas].map(([value, fitting]) => ({
    if: { properties: { [name]: { const: value } }, required: [name] },
    then: fitting.length === 1 ? fitting[0] : { [keyword]: fitting },
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
