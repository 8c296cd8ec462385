const DAY = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));
let lastDay = Number.NaN;
let lastDayText = '';

/**
 * What `toISOString` gives, three times as fast while dates fall on the same day, as those of one insert do.
 *
 * @throws RangeError for an invalid date
 */
export function isoText(date: Date): string {
  const time = date.getTime();
  const day = Math.floor(time / DAY);
  if (day !== lastDay) {
    const text = date.toISOString();
    lastDayText = text.slice(0, -13);
    lastDay = day;
    return text;
  }
  const ofDay = time - day * DAY;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const hour = TWO_DIGITS[hours] as string;
  const minute = TWO_DIGITS[minutes - hours * 60] as string;
  const second = TWO_DIGITS[seconds - minutes * 60] as string;
  return `${lastDayText}${hour}:${minute}:${second}.${THREE_DIGITS[ofDay - seconds * 1000] as string}Z`;
}

const digits = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

/** Days of -0400-03-01 before 1970-01-01, and one for the day of the month, which counts from 1. */
const DAYS_TO_EPOCH = 865_566;
const DAY_SECONDS = 86_400;

/**
 * Milliseconds since the epoch of what {@link isoText} gives for the years 0 to 9999. By hand, because `Date.UTC` takes longer
 * and reads years below 100 as 1900 and later.
 *
 * @param text - `2024-05-06T07:08:09.010Z`; what stands between the digits is not looked at
 */
export function timeOfIsoText(text: string): number {
  // The year begins in March, so that the leap day is its last day, and five months in a row have 153 days. Years count from -400:
  // the calendar repeats every 400 years, and the numbers are never negative, so that `| 0` cuts them without a floating point number.
  const month = digits(text, 5);
  const isBeforeMarch = month < 3;
  const year = digits(text, 0) * 100 + digits(text, 2) + (isBeforeMarch ? 399 : 400);
  const century = (year / 100) | 0;
  const monthDays = ((153 * (isBeforeMarch ? month + 9 : month - 3) + 2) / 5) | 0;
  const days = year * 365 + (year >> 2) - century + (century >> 2) + monthDays + digits(text, 8) - DAYS_TO_EPOCH;
  const seconds = (digits(text, 11) * 60 + digits(text, 14)) * 60 + digits(text, 17);
  return (days * DAY_SECONDS + seconds) * 1000 + (text.charCodeAt(20) - 48) * 100 + digits(text, 21);
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/** The time of a text as people and databases write it; without an offset it is UTC. Undefined for what is no time. */
export function timeOfText(text: string): Date | undefined {
  const [, date = '', time = '00:00:00', offset = 'Z'] = WRITTEN.exec(text) ?? [];
  const zone = /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset;
  const [day, at] = [`${date}T00:00:00Z`, `${date}T${time}${zone}`].map((each) => new Date(each)) as [Date, Date];
  // A day that its month does not have would count as one of the next.
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  return isDay && !Number.isNaN(at.getTime()) ? at : undefined;
}
