import { fwError, type FwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnDefinition } from './model-definition.js';
import type { ColumnInfo } from './model-info.js';
import { decimalText } from './number-text.js';
import { isDay } from './plain-date.js';
import { kindForm, temporalName, type KindForm } from './temporal.js';

/** What a column holds, independent of the database. Decided from the declaration's TypeScript type, or `type=` in the tag. */
export const COLUMN_KINDS = [
  'int',
  'bigint',
  'float',
  'decimal',
  'string',
  'text',
  'boolean',
  'date',
  'plainDate',
  'plainTime',
  'interval',
  'json',
  'bytes',
  'uuid',
  'enum',
  'array',
  'any',
] as const;

export type ColumnKind = (typeof COLUMN_KINDS)[number];

/** A whole number: of 53 bits on SQLite, of 32 on servers, where the column is `int` unless its tag says another (`sql=bigint`). */
export type Int = number;
/** A double. */
export type Float = number;
/** A decimal number, kept as text so that no digit is lost. */
export type Decimal = string & OfKind<'decimal'>;
/** A UUID in its canonical text form. */
export type Uuid = string & OfKind<'uuid'>;
/**
 * A day of the calendar, which has no time and no zone: `2024-05-06`. Years beyond four digits and before the first are written as
 * ISO 8601 does (`+010000-01-01`, `-000043-03-15`).
 */
export type PlainDate = string & OfKind<'plainDate'>;
/** A time of day, which has no date and no zone: `07:08:09.5`. */
export type PlainTime = string & OfKind<'plainTime'>;
/** A span of time, as the database writes it: `1 day 02:00:00`. */
export type Interval = string & OfKind<'interval'>;
/** A string of any length (`text`, `longtext`, `nvarchar(max)`). */
export type Text = string;
/** A value stored as JSON. */
export type Json<Value> = Value;

declare const stored: unique symbol;

/** Marks text that databases hold as another type. It exists only in types, and plain text is assignable. */
export interface OfKind<Kind extends string> {
  readonly [stored]?: Kind;
}

/** How values of one kind travel to and from one database; absent means "as they are". */
export interface KindCodec {
  /** To a driver parameter. The value is not null and has the right type; the column is for errors. */
  readonly encode?: (value: never, column?: ColumnInfo) => unknown;
  /** From a driver value, which is not null; the kind of its elements is for arrays. */
  readonly decode?: (value: never, element?: ColumnKind) => unknown;
}

/** One codec per kind; a dialect's `<dialect>-codecs.ts`. */
export type Codecs = { readonly [Kind in ColumnKind]: KindCodec };

const EXPECTED: Readonly<Record<ColumnKind, string>> = {
  int: 'a whole number',
  bigint: 'a bigint or a whole number',
  float: 'a finite number',
  decimal: 'a decimal number as text',
  string: 'a string',
  text: 'a string',
  boolean: 'a boolean',
  date: 'a valid Date',
  plainDate: 'a day as text (2024-05-06)',
  plainTime: 'a time of day as text (07:08:09)',
  interval: 'a span of time as text (1 day 02:00:00)',
  json: 'a value that JSON can hold',
  bytes: 'a Uint8Array',
  uuid: 'a UUID as text',
  enum: 'one of the declared values',
  array: 'an array',
  any: 'a value that can be stored',
};

// Half of a character has no form in UTF-8: it would arrive as another one.
const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();
const [LEAST_LONG, MOST_LONG] = [-(2n ** 63n), 2n ** 63n - 1n];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DECIMAL = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+|Infinity)|NaN)$/;

// Databases count hours on, and below zero.
const PLAIN_TIME = /^-?\d{2,3}:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?$/;

/** Whether a text is a UUID in its canonical form. */
export const isUuid = (text: string): boolean => UUID.test(text);

const ACCEPTS: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  int: (value) => Number.isSafeInteger(value),
  bigint: (value) =>
    typeof value === 'bigint' ? value >= LEAST_LONG && value <= MOST_LONG : Number.isSafeInteger(value),
  // Whether there are numbers beyond the finite ones is up to the database, and so to its codec.
  float: (value) => typeof value === 'number',
  decimal: (value) => Number.isFinite(value) || (typeof value === 'string' && DECIMAL.test(value)),
  string: isText,
  text: isText,
  boolean: (value) => typeof value === 'boolean',
  date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  plainDate: isDay,
  plainTime: (value) => typeof value === 'string' && PLAIN_TIME.test(value),
  interval: (value) => isText(value) && value !== '',
  json: (value) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol',
  bytes: (value) => value instanceof Uint8Array,
  uuid: (value) => typeof value === 'string' && isUuid(value),
  enum: (value) => typeof value === 'string' || typeof value === 'number',
  array: (value) => Array.isArray(value),
  any: (value) => {
    if (typeof value === 'string') return isText(value);
    if (value instanceof Date) return !Number.isNaN(value.getTime());
    return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
  },
};

/** The declared properties of a column's values. */
type Declared = Pick<ColumnDefinition, 'kind' | 'values' | 'element' | 'sqlType' | 'temporal'>;

/** Test of the values that a column takes. */
export function acceptorOf(column: Declared): (value: unknown) => boolean {
  const { kind, values, element, temporal } = column;
  if (temporal) return (value) => isAccepted(kindForm(value), column);
  if (values && kind !== 'array') return (value) => values.includes(value as string);
  if (kind === 'array' && element) return (value) => Array.isArray(value) && wrongElement(value, column) < 0;
  return acceptorOfKind(column, kind);
}

// What only says that it is of the class has a form that its kind refuses.
const isAccepted = (found: KindForm | undefined, { kind, temporal }: Declared): boolean =>
  found !== undefined && found.name === temporal && ACCEPTS[kind](found.form);

// A native type may hold longer integers.
function acceptorOfKind({ sqlType }: Declared, kind: ColumnKind): (value: unknown) => boolean {
  if (kind !== 'bigint' || sqlType === undefined) return ACCEPTS[kind];
  return (value) => typeof value === 'bigint' || Number.isSafeInteger(value);
}

// Null is an element of any array; a list within the list is one of an array of several dimensions.
function wrongElement(list: readonly unknown[], column: Declared): number {
  const { values, element = 'any' } = column;
  const ofKind = acceptorOfKind(column, element);
  const accepts = values ? (value: unknown) => values.includes(value as string) : ofKind;
  const fits = (value: unknown): boolean =>
    value === null || accepts(value) || (Array.isArray(value) && value.length > 0 && value.every(fits));
  for (let at = 0; at < list.length; at++) {
    if (!fits(list[at])) return at;
  }
  return -1;
}

/**
 * The same test inlined for common kinds, which saves two calls per value.
 *
 * @param otherwise - called for any other value
 */
export function checkerOf(
  kind: ColumnKind,
  otherwise: (value: unknown) => unknown,
): ((value: unknown) => unknown) | undefined {
  switch (kind) {
    case 'string':
    case 'text':
      return (value) => (typeof value === 'string' && value.isWellFormed() ? value : otherwise(value));
    case 'int':
      return (value) => (Number.isSafeInteger(value) ? value : otherwise(value));
    case 'float':
      return (value) => (typeof value === 'number' ? value : otherwise(value));
    default:
      return undefined;
  }
}

/** What a column expects, in words. */
export function expectationOf({ kind, values, element, temporal }: Declared): string {
  if (temporal) return `a Temporal.${temporal}`;
  if (kind === 'array' && values) return `an array of which each element is one of ${values.join(', ')}`;
  if (values) return `one of ${values.join(', ')}`;
  return kind === 'array' && element ? `an array of which each element is ${EXPECTED[element]}` : EXPECTED[kind];
}

/** The refused value in words: its type, and its text only if the column's values are declared. */
export function refusedInWords(value: unknown, column: Declared): string {
  if (column.values && column.kind !== 'array' && typeof value === 'string') return JSON.stringify(value).slice(0, 40);
  if (isComputed(value)) return 'an expression of the database, which updateAll takes in column.set(...)';
  if (column.kind !== 'array' || !Array.isArray(value)) return inWords(value, column.temporal ? 'any' : column.kind);
  const at = wrongElement(value, column);
  return `${inWords(value[at], column.element ?? 'any')} as element ${at}`;
}

/** Kinds whose values are texts, but not any text. */
const OF_SOME_TEXTS: ReadonlySet<ColumnKind> = new Set(['decimal', 'plainDate', 'plainTime', 'interval', 'uuid']);

// Where a text is expected, its type alone would not say what is wrong.
const inWords = (value: unknown, kind: ColumnKind): string =>
  isText(value) && OF_SOME_TEXTS.has(kind) ? 'a string that is none' : typeInWords(value);

/** Whether something is a column or an expression, which the database computes, and no plain value. */
export const isComputed = (value: unknown): boolean =>
  typeof (value as { readonly appendValueTo?: unknown } | null | undefined)?.appendValueTo === 'function';

/** Text in place of a private column's value. */
export const UNSAID = 'something else';

/** A value in words, for error sentences: its type, never its content. */
export function typeInWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : 'a Date';
  if (typeof value === 'object') return temporalInWords(value) ?? `an object (${className(value)})`;
  if (typeof value === 'number') return Number.isFinite(value) ? `the number ${value}` : String(value);
  if (typeof value === 'string') return isText(value) ? 'a string' : 'one with half of a character (a lone surrogate)';
  if (typeof value === 'bigint') return ACCEPTS.bigint(value) ? 'a bigint' : 'a bigint of more than 64 bits';
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}

function temporalInWords(value: object): string | undefined {
  const name = temporalName(value);
  if (name === undefined) return undefined;
  const { calendarId } = value as { readonly calendarId?: unknown };
  const isOther = typeof calendarId === 'string' && calendarId !== 'iso8601';
  return `a Temporal.${name}${isOther ? ` of the calendar ${calendarId.slice(0, MOST_SHOWN)}, and databases have iso8601 alone` : ''}`;
}

// Data from outside may have a property of that name.
function className(value: object): string {
  const prototype = Object.getPrototypeOf(value) as { readonly constructor?: { readonly name?: unknown } } | null;
  const name = prototype?.constructor?.name;
  return typeof name === 'string' ? name : 'without prototype';
}

const MOST_SHOWN = 80;

/** The given value for messages where a name was expected: a text as it is, anything else by its type. */
export const shown = (given: unknown): string =>
  typeof given === 'string' ? JSON.stringify(given.slice(0, MOST_SHOWN)) : typeInWords(given);

/** Error for what a column, or a parameter of raw SQL, cannot hold. */
export function valueRefusal(column: ColumnInfo | undefined, expected: string, got: string, cause?: unknown): FwError {
  const place = { model: column?.model.name ?? 'raw', field: column?.property ?? 'parameter' };
  return fwError(ORM_ERRORS.FW_ORM_VALUE, { ...place, expected, got: column?.hidden ? UNSAID : got }, { cause });
}

/**
 * A value that no column explains; one of Temporal in the form that its kind has.
 *
 * @throws FwError `FW_ORM_VALUE` for what no database takes
 */
export function anyValue(value: unknown, column?: ColumnInfo): unknown {
  if (temporalName(value) !== undefined) {
    const found = kindForm(value);
    if (found && ACCEPTS[found.kind](found.form)) return found.form;
  } else if (ACCEPTS.any(value)) return value;
  throw valueRefusal(column, EXPECTED.any, typeInWords(value));
}

/** Error for a stored value that a property cannot hold. The scanner of rows adds the column. */
export function unreadable(expected: string, got: string, remedy: string): FwError {
  return fwError(ORM_ERRORS.FW_ORM_UNREADABLE, { column: 'a column', expected, got: got.slice(0, MOST_SHOWN), remedy });
}

/** Error for a stored day whose property is declared as `Date`. */
export const dayForMoment = (text: string): FwError =>
  unreadable(
    'a Date',
    text,
    'the column holds days, which have no time and no zone: declare the property as PlainDate',
  );

/**
 * A number for a database that has only finite ones.
 *
 * @throws FwError `FW_ORM_VALUE`
 */
export function finiteNumber(value: number, column?: ColumnInfo): number {
  if (Number.isFinite(value)) return value;
  throw valueRefusal(column, EXPECTED.float, typeInWords(value));
}

/**
 * A decimal of such a database, as text without an exponent.
 *
 * @throws FwError `FW_ORM_VALUE`
 */
export function decimalOfDigits(value: string | number | bigint, column?: ColumnInfo): string {
  const text = decimalText(value);
  if (!/[a-z]/i.test(text)) return text;
  throw valueRefusal(column, EXPECTED.decimal, text);
}

/**
 * A date within the years that a database stores without a change.
 *
 * @throws FwError `FW_ORM_VALUE`
 */
export function dateOfYears(value: Date, first: number, column?: ColumnInfo): Date {
  const year = value.getUTCFullYear();
  if (year >= first && year <= 9999) return value;
  throw valueRefusal(column, `a Date of the years ${first} to 9999`, `one of the year ${year}`);
}
