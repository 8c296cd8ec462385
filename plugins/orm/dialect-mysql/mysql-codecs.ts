import type { Codecs } from '../core/index.js';

const toJson = (value: unknown): string => JSON.stringify(value);
// MySQL has a JSON type whose values arrive as text here; MariaDB stores JSON as text.
const fromJson = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value);
const toBuffer = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

/** How values travel to and from MySQL and MariaDB. Dates are UTC on both sides. */
export const mysqlCodecs: Codecs = {
  int: { decode: Number },
  bigint: { encode: String, decode: (value: string | number) => BigInt(value) },
  float: { decode: Number },
  decimal: { encode: String, decode: String },
  string: {},
  text: {},
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    decode: (value: unknown) => value !== 0 && value !== false && value !== '0',
  },
  date: { decode: (value: Date | string) => (value instanceof Date ? value : new Date(`${value.replace(' ', 'T')}Z`)) },
  json: { encode: toJson, decode: fromJson },
  bytes: {
    encode: toBuffer,
    decode: (value: Uint8Array) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength),
  },
  uuid: {},
  enum: {},
  array: { encode: toJson, decode: fromJson },
  any: { encode: encodeAny },
};

/** A value of unknown column: booleans become numbers, objects JSON text. */
export function encodeAny(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return String(value);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return value instanceof Uint8Array ? toBuffer(value) : JSON.stringify(value);
}
