import { isoText, type Codecs } from '../core/index.js';

const toJson = (value: unknown): string => JSON.stringify(value);
const fromJson = (value: string): unknown => JSON.parse(value) as unknown;

// Dates are ISO 8601 text in UTC, which sorts as time does (https://sqlite.org/lang_datefunc.html, time values).
const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3}))?\d*Z?$/;

/** A Date from the text that the encoder writes; the common form is cut by hand, which `new Date` is far slower at. */
function toDate(value: string | number): Date {
  if (typeof value === 'number') return new Date(value);
  if (value.length === 24 && value.charCodeAt(23) === 90) return new Date(isoTime(value));
  const parts = ISO.exec(value);
  if (!parts) return new Date(value);
  const [, year, month, day, hour, minute, second, fraction = ''] = parts;
  return new Date(isoTime(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`));
}

const digits = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

/** Days of 0000-03-01 before 1970-01-01, and one for the day of the month, which counts from 1. */
const DAYS_TO_EPOCH = 719_469;

// By hand, because `Date.UTC` takes longer and reads years below 100 as 1900 and later. The year begins in March, so that the
// leap day is its last and the months before any one have 153 days in five.
function isoTime(text: string): number {
  const month = digits(text, 5);
  const year = digits(text, 0) * 100 + digits(text, 2) - (month < 3 ? 1 : 0);
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const monthDays = Math.floor((153 * (month + (month < 3 ? 9 : -3)) + 2) / 5);
  const days = year * 365 + leapDays + monthDays + digits(text, 8) - DAYS_TO_EPOCH;
  const seconds = ((days * 24 + digits(text, 11)) * 60 + digits(text, 14)) * 60 + digits(text, 17);
  return seconds * 1000 + (text.charCodeAt(20) - 48) * 100 + digits(text, 21);
}

/** How values travel to and from SQLite, which stores integers, reals, text and blobs (https://sqlite.org/datatype3.html). */
export const sqliteCodecs: Codecs = {
  // Statements that keep 64-bit integers exact give every integer as a bigint.
  int: { decode: (value: number | bigint) => (typeof value === 'bigint' ? Number(value) : value) },
  bigint: { encode: (value: number | bigint) => BigInt(value), decode: (value: number | bigint) => BigInt(value) },
  float: { decode: (value: number | bigint) => Number(value) },
  decimal: { encode: String, decode: String },
  string: {},
  text: {},
  boolean: { encode: (value: boolean) => (value ? 1 : 0), decode: (value: number | bigint) => Number(value) !== 0 },
  date: { encode: isoText, decode: toDate },
  json: { encode: toJson, decode: fromJson },
  bytes: { decode: (value: Uint8Array) => new Uint8Array(value.buffer, value.byteOffset, value.byteLength) },
  uuid: {},
  enum: {},
  array: { encode: toJson, decode: fromJson },
  any: { encode: encodeAny },
};

/** A value of unknown column: booleans, dates and objects become what SQLite can store. */
export function encodeAny(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
