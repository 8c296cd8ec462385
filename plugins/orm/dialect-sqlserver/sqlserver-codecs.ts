import {
  anyValue,
  cutDigits,
  decimalOfDigits,
  finerDigits,
  finiteNumber,
  isoText,
  jsonArrays,
  jsonText,
  jsonValue,
  keepFiner,
  type Codecs,
  type ColumnInfo,
} from '../dialect/index.js';

/** Digits of a second that the server keeps; what is finer is cut off, where it would be rounded. */
const SECOND_DIGITS = 7;
/** Those of a Date. */
const DATE_DIGITS = 3;

// The driver says beside a Date what part of a second that does not hold (tedious, nanosecondsDelta).
function withFiner(date: Date): Date {
  const { nanosecondsDelta = 0 } = date as { readonly nanosecondsDelta?: number };
  const units = Math.round(nanosecondsDelta * 10 ** SECOND_DIGITS);
  return units === 0 ? date : keepFiner(date, String(units).padStart(SECOND_DIGITS - DATE_DIGITS, '0'));
}

const timeOfDay = (date: Date): string => `${isoText(date).slice(11, -1)}${finerDigits(withFiner(date))}`;

// The driver takes milliseconds of a Date; the server reads every digit of a text.
function fromMoment(date: Date): Date | string {
  const finer = finerDigits(date).slice(0, SECOND_DIGITS - DATE_DIGITS);
  return finer === '' ? date : `${isoText(date).slice(0, -1)}${finer}`;
}

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
  date: {
    encode: fromMoment,
    decode: (value: Date | string) => (value instanceof Date ? withFiner(value) : new Date(value)),
  },
  // The driver makes moments of them, in UTC.
  plainDate: { decode: (value: Date | string) => (value instanceof Date ? isoText(value).slice(0, -14) : value) },
  plainTime: {
    decode: (value: Date | string) => (value instanceof Date ? timeOfDay(value) : value),
    encode: (time: string) => cutDigits(time, SECOND_DIGITS),
  },
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
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (value instanceof Date) return fromMoment(value);
  return jsonText(value, column);
}
