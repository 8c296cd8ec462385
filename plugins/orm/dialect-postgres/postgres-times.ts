import {
  dayForMoment,
  finerDigits,
  isoText,
  isoYear,
  isSpecialDay,
  keepFiner,
  timeOfIsoText,
  unreadable,
  valueRefusal,
  yearOfDay,
  type ColumnInfo,
} from '../dialect/index.js';

// How the server writes times with DateStyle ISO: 2024-05-06 07:08:09.01+00, 0044-03-15 00:00:00+00 BC
// (https://www.postgresql.org/docs/current/datatype-datetime.html#DATATYPE-DATETIME-OUTPUT).
const USUAL = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})(\d*))?(?:\+00(?::?00)?|Z)?$/;
const ANY = /^(\d{4,})-(\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?( BC)?$/;
/** Where the digits begin that a Date does not hold: behind `.123`. */
const BEHIND_MILLISECONDS = 4;
const DAY = /^(\d{4,})(-\d\d-\d\d)( BC)?$/;

/** Digits of a second that the server keeps; what is finer is cut off, where it would be rounded. */
export const SECOND_DIGITS = 6;
/** Those of a Date. */
const DATE_DIGITS = 3;

/** The first year that the server has, 4713 BC. */
const FIRST_YEAR = -4712;
/** The last of its days, beyond what a Date reaches. */
const LAST_YEAR = 5_874_897;

/**
 * A Date from the text of a timestamp.
 *
 * @throws FwError `FW_ORM_UNREADABLE` for what no Date holds
 */
export function toMoment(value: string | Date): Date {
  if (value instanceof Date) return value;
  const parts = USUAL.exec(value);
  if (!parts) return unusualMoment(value);
  const [, year, month, day, hour, minute, second, fraction = '0', finer] = parts;
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
  const date = new Date(timeOfIsoText(text));
  return finer ? keepFiner(date, finer) : date;
}

function unusualMoment(text: string): Date {
  if (DAY.test(text)) throw dayForMoment(text);
  const [, year, day, time, fraction = '', offset = 'Z', era] = ANY.exec(text) ?? [];
  const zone = /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset;
  const at =
    year === undefined
      ? undefined
      : new Date(`${isoYearOf(year, era)}-${day}T${time}${fraction.slice(0, BEHIND_MILLISECONDS)}${zone}`);
  if (at !== undefined && !Number.isNaN(at.getTime())) return keepFiner(at, fraction.slice(BEHIND_MILLISECONDS));
  throw unreadable(
    'a Date',
    text,
    'declare the property as string, with sql= and the type of the column, to have it as text',
  );
}

// There is no year 0: what is 1 BC here is 0 for ISO 8601.
const isoYearOf = (year: string, era: string | undefined): string =>
  isoYear(era === undefined ? Number(year) : 1 - Number(year));

/**
 * A Date as the server takes it.
 *
 * @throws FwError `FW_ORM_VALUE` for one before 4713 BC
 */
export function momentText(value: Date, column?: ColumnInfo): string {
  const year = value.getUTCFullYear();
  const finer = finerDigits(value).slice(0, SECOND_DIGITS - DATE_DIGITS);
  if (year >= 1 && year <= 9999) return finer === '' ? isoText(value) : `${isoText(value).slice(0, -1)}${finer}Z`;
  if (year < FIRST_YEAR) throw valueRefusal(column, 'a Date of 4713 BC or later', `one of the year ${year}`);
  const rest = value
    .toISOString()
    .replace(/^[+-]?\d+/, '')
    .replace('Z', `${finer}Z`);
  return year < 1 ? `${ofEra(1 - year)}${rest} BC` : `${year}${rest}`;
}

const ofEra = (year: number): string => String(year).padStart(4, '0');

/**
 * A day as ISO 8601 writes it, from the text of a date; `infinity` and `-infinity` are themselves.
 *
 * @throws FwError `FW_ORM_UNREADABLE`
 */
export function toDay(text: string): string {
  if (text.length === 10 || isSpecialDay(text)) return text;
  const [, year, rest, era] = DAY.exec(text) ?? [];
  if (year !== undefined) return `${isoYearOf(year, era)}${rest}`;
  throw unreadable('a PlainDate', text, 'declare the property as Date');
}

/**
 * A day as the server takes it.
 *
 * @throws FwError `FW_ORM_VALUE`
 */
export function dayText(day: string, column?: ColumnInfo): string {
  const year = yearOfDay(day);
  if (year === undefined ? day.endsWith('infinity') : year >= 1 && year <= 9999) return day;
  if (year === undefined || year < FIRST_YEAR || year > LAST_YEAR)
    throw valueRefusal(column, 'a day that PostgreSQL has', day);
  const rest = day.slice(-6);
  return year < 1 ? `${ofEra(1 - year)}${rest} BC` : `${year}${rest}`;
}

// With IntervalStyle postgres: 1 year 2 mons -3 days +04:05:06.7
// (https://www.postgresql.org/docs/current/datatype-datetime.html#INTERVAL-STYLE-OUTPUT-TABLE).
const INTERVAL =
  /^(?:([+-]?\d+) years? ?)?(?:([+-]?\d+) mons? ?)?(?:([+-]?\d+) days? ?)?(?:([+-]?)(\d+):(\d\d):(\d\d(?:\.\d+)?))?$/;

/** An interval as ISO 8601 writes it; undefined for `infinity`, and for one whose parts have several signs. */
export function isoInterval(text: string): string | undefined {
  const parts = INTERVAL.exec(text);
  if (parts === null || text === '') return undefined;
  const [, years = '0', months = '0', days = '0', sign = '', hours = '0', minutes = '0', seconds = '0'] = parts;
  const clock = [hours, minutes, seconds].map((part) => `${sign}${part}`);
  const numbers = [years, months, days, ...clock].map((part) => ({ isBelow: part.startsWith('-'), digits: part.replace(/^[+-]/, '') })); // prettier-ignore
  const signs = new Set(numbers.filter(({ digits }) => /[1-9]/.test(digits)).map(({ isBelow }) => isBelow));
  if (signs.size > 1) return undefined;
  const [year, month, day, hour, minute, second] = numbers.map(({ digits }) => digits);
  return `${signs.has(true) ? '-' : ''}P${year}Y${month}M${day}DT${hour}H${minute}M${second}S`;
}

/** A span as the server takes it: of ISO 8601 it has the sign at each part only. */
export function intervalText(span: string): string {
  return span.startsWith('-P') ? span.slice(1).replace(/\d+(?:\.\d+)?(?=[YMWDHS])/g, '-$&') : span;
}
