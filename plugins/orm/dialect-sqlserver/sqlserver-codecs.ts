import {
  anyValue,
  decimalOfDigits,
  finiteNumber,
  isoText,
  jsonArrays,
  jsonText,
  jsonValue,
  type Codecs,
  type ColumnInfo,
} from '../dialect/index.js';

/** How values travel to and from SQL Server. Dates are UTC on both sides. */
export const sqlserverCodecs: Codecs = {
  int: { decode: Number },
  bigint: {
    encode: (value: number | bigint) => BigInt(value),
    decode: (value: string | number | bigint) => BigInt(value),
  },
  float: { encode: finiteNumber, decode: Number },
  decimal: { encode: decimalOfDigits, decode: String },
  string: {},
  text: {},
  boolean: { decode: (value: unknown) => value === true || value === 1 },
  date: { decode: (value: Date | string) => (value instanceof Date ? value : new Date(value)) },
  // The driver makes moments of them, in UTC.
  plainDate: { decode: (value: Date | string) => (value instanceof Date ? isoText(value).slice(0, -14) : value) },
  plainTime: { decode: (value: Date | string) => (value instanceof Date ? isoText(value).slice(11, -1) : value) },
  interval: {},
  json: { encode: jsonText, decode: jsonValue },
  bytes: {
    encode: (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    decode: (value: Uint8Array) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  },
  // The server prints uniqueidentifier in capitals (https://learn.microsoft.com/sql/t-sql/data-types/uniqueidentifier-transact-sql).
  uuid: { decode: (value: string) => value.toLowerCase() },
  enum: {},
  array: jsonArrays,
  any: { encode: encodeAny },
};

/** A value of unknown column: objects become JSON text. */
export function encodeAny(given: unknown, column?: ColumnInfo): unknown {
  const value = anyValue(given, column);
  if (value === null || typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array) return value;
  return jsonText(value, column);
}
