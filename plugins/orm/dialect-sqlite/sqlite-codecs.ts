import {
  anyValue,
  decimalText,
  jsonArrays,
  jsonText,
  isoText,
  timeOfIsoText,
  type Codecs,
  type ColumnInfo,
} from '../core/index.js';

const fromJson = (value: string): unknown => JSON.parse(value) as unknown;

// Dates are ISO 8601 text in UTC, which sorts as time does (https://sqlite.org/lang_datefunc.html, time values).
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?\d*Z?$/;

/** A Date from the text that the encoder writes; the common form is cut by hand, which `new Date` is far slower at. */
function toDate(value: string | number): Date {
  if (typeof value === 'number') return new Date(value);
  if (value.length === 24 && value.charCodeAt(23) === 90) return new Date(timeOfIsoText(value));
  const parts = ISO.exec(value);
  if (!parts) return new Date(value);
  const [, year, month, day, hour, minute, second, fraction = ''] = parts;
  return new Date(timeOfIsoText(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`));
}

/** How values travel to and from SQLite, which stores integers, reals, text and blobs (https://sqlite.org/datatype3.html). */
export const sqliteCodecs: Codecs = {
  // Statements that keep 64-bit integers exact give every integer as a bigint.
  int: { decode: (value: number | bigint) => (typeof value === 'bigint' ? Number(value) : value) },
  bigint: { encode: (value: number | bigint) => BigInt(value), decode: (value: number | bigint) => BigInt(value) },
  float: { decode: (value: number | bigint) => (typeof value === 'number' ? value : Number(value)) },
  decimal: { encode: decimalText, decode: decimalText },
  string: {},
  text: {},
  boolean: { encode: (value: boolean) => (value ? 1 : 0), decode: (value: number | bigint) => Number(value) !== 0 },
  date: { encode: isoText, decode: toDate },
  json: { encode: jsonText, decode: fromJson },
  bytes: { decode: (value: Uint8Array) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength) },
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
  return value instanceof Date ? value.toISOString() : jsonText(value, column);
}
