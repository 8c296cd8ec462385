// The years of four digits, and those that ISO 8601 writes with a sign and six.
const DAY = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d$/;
const YEAR = /^([+-]?\d+)-/;

/** Days that only some databases have: no bound in time, and the zero dates of MySQL. */
const SPECIAL = /^(?:-?infinity|\d{4}-00-\d\d|\d{4}-\d\d-00)$/;

/** Whether a value is a day of the calendar as text, or one of the few texts that a database has beside them. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && (isCalendarDay(value) || isSpecialDay(value));
}

/** Whether a text is one that a database keeps in place of a day: `infinity`, `0000-00-00`. */
export const isSpecialDay = (text: string): boolean => SPECIAL.test(text);

function isCalendarDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  // A day that its month does not have would count as one of the next. What no Date reaches is left to the database.
  if (Number.isNaN(at.getTime())) return /^[+-]/.test(text) && Number(text.slice(-2)) <= 31;
  return at.toISOString().slice(-16, -14) === text.slice(-2) && at.toISOString().startsWith(text);
}

/** The year of a day; undefined for what is none of the calendar. */
export function yearOfDay(day: string): number | undefined {
  return isSpecialDay(day) ? undefined : Number(YEAR.exec(day)?.[1]);
}

/**
 * A year as ISO 8601 writes it: four digits, or a sign and six.
 *
 * @param year - counted with a year 0
 */
export function isoYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}
