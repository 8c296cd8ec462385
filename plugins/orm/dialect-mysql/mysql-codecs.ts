import {
  anyValue,
  decimalText,
  jsonArrays,
  jsonText,
  dateOfYears,
  type Codecs,
  type ColumnInfo,
} from '../core/index.js';

// MySQL has a JSON type whose values arrive as text here; MariaDB stores JSON as text.
const fromJson = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value);
const toBuffer = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** How values travel to and from MySQL and MariaDB. Dates are UTC on both sides. */
export const mysqlCodecs: Codecs = {
  int: { decode: Number },
  bigint: { encode: String, decode: (value: string | number) => BigInt(value) },
  float: { decode: Number },
  decimal: { encode: decimalText, decode: String },
  string: {},
  text: {},
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    decode: (value: unknown) => value !== 0 && value !== false && value !== '0',
  },
  // The driver reads the years below 100 as 1900 and later.
  date: {
    encode: (value: Date, column?: ColumnInfo) => dateOfYears(value, 100, column),
    decode: (value: Date | string) => (value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`)),
  },
  json: { encode: jsonText, decode: fromJson },
  bytes: {
    encode: toBuffer,
    decode: (value: Uint8Array) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  },
  // As servers with a type of it give it back.
  uuid: { encode: (value: string) => value.toLowerCase() },
  enum: {},
  array: jsonArrays,
  any: { encode: encodeAny },
};

/** A value of unknown column: booleans become numbers, objects JSON text. */
export function encodeAny(given: unknown, column?: ColumnInfo): unknown {
  const value = anyValue(given, column);
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return dateOfYears(value, 100, column);
  return value instanceof Uint8Array ? toBuffer(value) : jsonText(value, column);
}
