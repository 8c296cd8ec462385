import { isObject } from '../../../../kernel/values/index.js';

const TYPES: ReadonlySet<unknown> = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const isList = (value: unknown) => Array.isArray(value) && value.length > 0;
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);

/** Whether a value can be a schema (JSON Schema 2020-12, section 4.3). */
export function isSchema(value: unknown): boolean {
  return isFlag(value) || isObject(value);
}

/** What the value of a keyword has to be (JSON Schema 2020-12, sections 8 to 11; Validation, section 6). */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $ref: isText, $dynamicRef: isText, pattern: isText, format: isText,
  type: (value) => (Array.isArray(value) ? value.length > 0 && value.every((each) => TYPES.has(each)) : TYPES.has(value)),
  enum: isList, required: isTexts,
  minimum: isNumber, maximum: isNumber, exclusiveMinimum: isNumber, exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minLength: isCount, maxLength: isCount, minItems: isCount, maxItems: isCount, minProperties: isCount, maxProperties: isCount,
  minContains: isCount, maxContains: isCount, uniqueItems: isFlag,
  allOf: isList, anyOf: isList, oneOf: isList, prefixItems: isList,
  not: isSchema, if: isSchema, then: isSchema, else: isSchema, items: isSchema, contains: isSchema, additionalProperties: isSchema,
  propertyNames: isSchema, unevaluatedProperties: isSchema, unevaluatedItems: isSchema,
  properties: isObject, patternProperties: isObject, dependentSchemas: isObject, dependentRequired: isObject, $defs: isObject,
  definitions: isObject,
}; // prettier-ignore

/**
 * A schema without the keywords that say nothing, because their value is none that they can have (`required: true`, `type: "date"`): the rest
 * of the schema still applies.
 */
export function wellFormed(schema: Record<string, unknown>): Record<string, unknown> {
  const isKept = ([name, value]: [string, unknown]) =>
    !Object.hasOwn(KEYWORDS, name) || KEYWORDS[name]?.(value) === true;
  const entries = Object.entries(listOfItems(schema));
  return entries.every(isKept) ? Object.fromEntries(entries) : Object.fromEntries(entries.filter(isKept));
}

// `items` as a list is draft 4's and Swagger's; its name is `prefixItems` now (JSON Schema 2020-12, section 10.3.1.1).
function listOfItems(schema: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(schema['items'])) return schema;
  const { items, additionalItems, ...rest } = schema;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}
