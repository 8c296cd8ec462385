import {
  anyValue,
  cutDigits,
  decimalOfDigits,
  finiteNumber,
  jsonArrays,
  jsonText,
  jsonValue,
  dateOfYears,
  dayForMoment,
  finerDigits,
  isoText,
  keepFiner,
  timeOfIsoText,
  unreadable,
  valueRefusal,
  type Codecs,
  type ColumnInfo,
} from '../dialect/index.js';

// MySQL has a JSON type whose values arrive as text here; MariaDB stores JSON as text.
const fromJson = (value: unknown): unknown => (typeof value === 'string' ? jsonValue(value) : value);
// TINYINT(1) takes -128 to 127, and each of them is true but 0 (https://dev.mysql.com/doc/refman/8.0/en/numeric-type-syntax.html).
function toBoolean(value: unknown): boolean {
  if (value === 1 || value === 0) return value === 1;
  if (value === true || value === '1' || value === 1n) return true;
  if (value === false || value === '0' || value === 0n) return false;
  throw unreadable('a boolean', String(value), 'declare the property as Int, with sql= and the type of the column');
}

const toBuffer = (value: Uint8Array): Buffer => Buffer.from(value.buffer, value.byteOffset, value.byteLength);

const MOMENT = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?$/;

// https://dev.mysql.com/doc/refman/8.0/en/date-and-time-types.html, zero values
function toMoment(value: Date | string): Date {
  if (value instanceof Date) return value;
  if (value.length === DAY_LENGTH) throw dayForMoment(value);
  if (!MOMENT.test(value) || /-00/.test(value))
    throw unreadable(
      'a Date',
      value,
      'declare the property as string, with sql= and the type of the column, to have it as text',
    );
  const date = new Date(timeOfIsoText(`${value.slice(0, 19)}.${value.slice(20, 23).padEnd(3, '0')}Z`));
  return value.length > MILLISECONDS_LENGTH ? keepFiner(date, value.slice(MILLISECONDS_LENGTH)) : date;
}

// What is finer is cut off, as MariaDB does; MySQL would round it, into the next day where it has to.
const SECOND_DIGITS = 6;
const DATE_DIGITS = 3;
const MILLISECONDS_LENGTH = 'yyyy-mm-dd hh:mm:ss.sss'.length;

// The driver writes the years below 100 as 1900 and later, and milliseconds.
function fromMoment(given: Date, column?: ColumnInfo): Date | string {
  const date = dateOfYears(given, 100, column);
  const finer = finerDigits(date).slice(0, SECOND_DIGITS - DATE_DIGITS);
  return finer === '' ? date : `${isoText(date).slice(0, -1).replace('T', ' ')}${finer}`;
}

const DAY_LENGTH = 'yyyy-mm-dd'.length;

function toDay(value: string): string {
  if (value.length === DAY_LENGTH) return value;
  throw unreadable('a PlainDate', value, 'declare the property as Date');
}

function dayOfServer(day: string, column?: ColumnInfo): string {
  if (/^\d{4}-/.test(day)) return day;
  throw valueRefusal(column, 'a day of the years 0 to 9999', day);
}

/** How values travel to and from MySQL and MariaDB. Dates are UTC on both sides. */
export const mysqlCodecs: Codecs = {
  int: { decode: Number },
  bigint: { encode: String, decode: (value: string | number) => BigInt(value) },
  float: { encode: finiteNumber, decode: Number },
  decimal: { encode: decimalOfDigits, decode: String },
  string: {},
  text: {},
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    decode: toBoolean,
  },
  date: { encode: fromMoment, decode: toMoment },
  plainDate: { encode: dayOfServer, decode: toDay },
  plainTime: { encode: (time: string) => cutDigits(time, SECOND_DIGITS) },
  interval: {},
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
  if (value instanceof Date) return fromMoment(value, column);
  return value instanceof Uint8Array ? toBuffer(value) : jsonText(value, column);
}
