import { createRequire } from 'node:module';
import type { TSchema } from 'typebox';
import type { JsonSchema } from '../contracts/docs.js';
import { namesInherited } from './inherited-names.js';
import { isSchema } from './ref-scope.js';

const require = createRequire(import.meta.url);

/**
 * Whether a value certainly fits a schema, decided without a compiler, whose loading takes longer than the rest of a start. True means that
 * a validator would accept the value too. False means that a validator has to decide: the value does not fit, or the schema uses a keyword
 * that is not known here.
 *
 * Known are strings, numbers, booleans, literals, unions of them, lists, and one level of named members; missing members with a default are
 * filled in.
 *
 * @param given - a TypeBox (or plain JSON Schema) object
 * @param value - an object is filled in only when it fits
 */
export function surelyFits(given: TSchema, value: unknown): boolean {
  const schema = given as JsonSchema;
  if (!('properties' in schema)) return fits(schema, value);
  if (!knows(schema, MEMBERS) || schema['type'] !== 'object' || namesInherited(schema)) return false;
  const values = value as Record<string, unknown>;
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JsonSchema>>);
  const missing = properties.filter(([name, part]) => values[name] === undefined && part['default'] !== undefined);
  const filled = { ...values, ...Object.fromEntries(missing.map(([name, part]) => [name, structuredClone(part['default'])])) }; // prettier-ignore
  const required = (schema['required'] ?? []) as readonly string[];
  const isThere = (name: string) => filled[name] !== undefined;
  if (!required.every(isThere)) return false;
  if (!properties.every(([name, part]) => !isThere(name) || fits(part, filled[name]))) return false;
  Object.assign(values, filled);
  return true;
}

/** Keywords that do not constrain a value. */
const TELLING = ['title', 'description', 'examples', 'default', 'deprecated', '$comment', 'secret'];
const MEMBERS = ['type', 'properties', 'required'];

const knows = (schema: JsonSchema, words: readonly string[]): boolean =>
  Object.keys(schema).every((word) => words.includes(word) || TELLING.includes(word));

function fits(schema: unknown, value: unknown): boolean {
  if (!isSchema(schema)) return false;
  if (schema['anyOf'] !== undefined)
    return knows(schema, ['anyOf']) && (schema['anyOf'] as readonly unknown[]).some((branch) => fits(branch, value));
  if (!isAmong(schema, value)) return false;
  if (schema['type'] === undefined) return ('const' in schema || 'enum' in schema) && knows(schema, ['const', 'enum']);
  return OF_TYPE.get(String(schema['type']))?.(schema, value) ?? false;
}

// Objects and arrays are compared by structure, which only a validator does.
function isAmong(schema: JsonSchema, value: unknown): boolean {
  if ('const' in schema && schema['const'] !== value) return false;
  return !('enum' in schema) || (schema['enum'] as readonly unknown[]).includes(value);
}

type Check = (schema: JsonSchema, value: unknown) => boolean;

const TYPED = ['type', 'const', 'enum'];
const OF_NUMBERS = [...TYPED, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const OF_TEXTS = [...TYPED, 'minLength', 'maxLength', 'pattern', 'format'];
const OF_LISTS = ['type', 'items', 'minItems', 'maxItems'];

const OF_TYPE: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    boolean: (schema, value) => typeof value === 'boolean' && knows(schema, TYPED),
    number: (schema, value) => typeof value === 'number' && Number.isFinite(value) && isWithin(schema, value),
    // JSON readers may change an unsafe integer.
    integer: (schema, value) => typeof value === 'number' && Number.isSafeInteger(value) && isWithin(schema, value),
    string: (schema, value) => typeof value === 'string' && isOfForm(schema, value),
    array: (schema, value) =>
      knows(schema, OF_LISTS) &&
      Array.isArray(value) &&
      isBetween(value.length, schema['minItems'], schema['maxItems']) &&
      value.every((item) => fits(schema['items'], item)),
  }),
);

function isWithin(schema: JsonSchema, value: number): boolean {
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema as Record<string, number>;
  return (
    knows(schema, OF_NUMBERS) &&
    isBetween(value, schema['minimum'], schema['maximum']) &&
    value > exclusiveMinimum &&
    value < exclusiveMaximum
  );
}

const isBetween = (value: number, least: unknown = -Infinity, most: unknown = Infinity): boolean =>
  value >= (least as number) && value <= (most as number);

function isOfForm(schema: JsonSchema, value: string): boolean {
  const { minLength, maxLength, pattern, format } = schema;
  if (!knows(schema, OF_TEXTS)) return false;
  // Characters are code points (JSON Schema 2020-12, Validation, section 6.3.1).
  if ((minLength ?? maxLength) !== undefined && !isBetween([...value].length, minLength, maxLength)) return false;
  if (pattern !== undefined && !new RegExp(pattern as string, 'u').test(value)) return false;
  return format === undefined || isFormatted(format as string, value);
}

type Format = RegExp | ((text: string) => boolean);

// Uses the same formats as validators, without the compiler.
function isFormatted(format: string, value: string): boolean {
  const { fullFormats } = require('ajv-formats/dist/formats') as {
    readonly fullFormats: Readonly<Record<string, Format | { readonly type?: string; readonly validate: Format }>>;
  };
  const known = Object.hasOwn(fullFormats, format) ? fullFormats[format] : undefined;
  const check = typeof known === 'object' && 'validate' in known ? (known.type === 'number' ? undefined : known.validate) : known; // prettier-ignore
  if (check instanceof RegExp) return check.test(value);
  return typeof check === 'function' && check(value);
}
