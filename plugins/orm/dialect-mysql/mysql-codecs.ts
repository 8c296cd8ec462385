import {
  anyValue,
  decimalText,
  jsonArrays,
  jsonText,
  dateOfYears,
  dayForMoment,
  timeOfIsoText,
  unreadable,
  valueRefusal,
  type Codecs,
  type ColumnInfo,
} from '../dialect/index.js';

// MySQL has a JSON type whose values arrive as text here; MariaDB stores JSON as text.
const fromJson = (value: unknown): unknown => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value);
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
  return new Date(timeOfIsoText(`${value.slice(0, 19)}.${value.slice(20, 23).padEnd(3, '0')}Z`));
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
  float: { decode: Number },
  decimal: { encode: decimalText, decode: String },
  string: {},
  text: {},
  boolean: {
    encode: (value: boolean) => (value ? 1 : 0),
    decode: (value: unknown) => value !== 0 && value !== false && value !== '0',
  },
  // The driver writes the years below 100 as 1900 and later.
  date: {
    encode: (value: Date, column?: ColumnInfo) => dateOfYears(value, 100, column),
    decode: toMoment,
  },
  plainDate: { encode: dayOfServer, decode: toDay },
  plainTime: {},
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
  if (value instanceof Date) return dateOfYears(value, 100, column);
  return value instanceof Uint8Array ? toBuffer(value) : jsonText(value, column);
}
