import {
  anyValue,
  dateOfYears,
  decimalOfDigits,
  decimalText,
  finiteNumber,
  isNumberText,
  jsonArrays,
  jsonText,
  jsonValue,
  isoText,
  temporalName,
  timeOfIsoText,
  unreadable,
  type Codecs,
  type ColumnInfo,
} from '../dialect/index.js';
import { codecOfColumn, formatOfColumn, looseMoment } from './exact-times.js';
import { ISO_FORMAT } from './sqlite-times.js';
import { unreadTime } from './unread-time.js';

// Dates are ISO 8601 text in UTC, which sorts as time does (https://sqlite.org/lang_datefunc.html, time values). The common form is
// cut by hand, which `new Date` is far slower at; what the tag of a column says is read before (sqliteColumnDecoder).
function toDate(value: unknown, column?: ColumnInfo): Date {
  if (typeof value === 'string' && value.length === 24 && value.charCodeAt(10) === 84 && value.charCodeAt(23) === 90)
    return new Date(timeOfIsoText(value));
  if (value instanceof Date) return value;
  throw unreadTime(value, column);
}

// A column of type BLOB takes text and numbers, too (https://sqlite.org/datatype3.html#type_affinity).
function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw unreadable('a Uint8Array', String(value), 'declare the property as unknown, or store the value as a blob');
}

// SQLite allows values of another storage class than the column's; such a value cannot be converted.
const otherClass = (expected: string, value: unknown) => {
  const stored = value instanceof Uint8Array ? 'a blob' : typeof value === 'string' ? `the text ${value}` : `${value}`; // prettier-ignore
  return unreadable(expected, stored, 'declare the property as unknown, or correct the rows');
};

function toNumber(value: unknown): number {
  if (typeof value === 'bigint') return Number(value);
  throw otherClass('a number', value);
}

// An INTEGER has 64 bits, and the driver rounds what a number does not hold.
function toInt(value: unknown): number {
  const number = typeof value === 'number' ? value : toNumber(value);
  if (number <= Number.MAX_SAFE_INTEGER && number >= Number.MIN_SAFE_INTEGER) return number;
  throw unreadable('an Int', `about ${number}`, 'declare the property as bigint');
}

// What is beyond 64 bits, or has a fraction, is a double (https://sqlite.org/lang_expr.html, https://sqlite.org/datatype3.html), which has
// lost digits by then.
function toBigint(value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw otherClass('a bigint', value);
}

// There is no NaN in a database of SQLite: it is stored as null (https://sqlite.org/nulls.html).
function toDouble(value: number, column?: ColumnInfo): number {
  return Number.isNaN(value) ? finiteNumber(value, column) : value;
}

function toBoolean(value: unknown): boolean {
  if (value === 1 || value === 0) return value === 1;
  if (value === 1n || value === 0n) return value === 1n;
  throw otherClass('a boolean', value);
}

function toDecimal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return decimalText(value);
  if (typeof value === 'string' && isNumberText(value)) return decimalText(value);
  throw otherClass('a number', value);
}

/** What reads the times of a column in the form that its tag says. */
export function sqliteColumnDecoder(column: ColumnInfo): ((value: unknown) => unknown) | undefined {
  if (column.kind !== 'date') return undefined;
  const codec = codecOfColumn(column);
  if (codec === undefined || formatOfColumn(column) === ISO_FORMAT) return (value) => toDate(value, column);
  return (value) => {
    // Of a row that could not be read, the times that were read already are tried once more.
    const date = value instanceof Date ? value : codec.decode(value);
    if (date !== undefined) return date;
    throw unreadTime(value, column);
  };
}

/** How values travel to and from SQLite, which stores integers, reals, text and blobs (https://sqlite.org/datatype3.html). */
export const sqliteCodecs: Codecs = {
  // Statements that keep 64-bit integers exact give every integer as a bigint.
  int: { decode: toInt },
  bigint: { encode: (value: number | bigint) => BigInt(value), decode: toBigint },
  float: {
    encode: toDouble,
    decode: (value: unknown) => (typeof value === 'number' ? value : toNumber(value)),
  },
  decimal: { encode: decimalOfDigits, decode: toDecimal },
  string: {},
  text: {},
  boolean: { encode: (value: boolean) => (value ? 1 : 0), decode: toBoolean },
  date: {
    encode: (value: Date, column?: ColumnInfo) => isoText(dateOfYears(value, 0, column)),
    decode: (value: string) => toDate(value),
  },
  plainDate: {},
  plainTime: {},
  interval: {},
  json: { encode: jsonText, decode: jsonValue },
  bytes: { decode: toBytes },
  // As servers with a type of it give it back.
  uuid: { encode: (value: string) => value.toLowerCase() },
  enum: { decode: (value: string | number | bigint) => (typeof value === 'bigint' ? Number(value) : value) },
  array: jsonArrays,
  any: { encode: encodeAny },
};

/** A value of unknown column: booleans, dates and objects become what SQLite can store. */
export function encodeAny(given: unknown, column?: ColumnInfo): unknown {
  const value = anyValue(given, column);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (value instanceof Date) return looseMoment(temporalName(given), value) ?? value.toISOString();
  return jsonText(value, column);
}
