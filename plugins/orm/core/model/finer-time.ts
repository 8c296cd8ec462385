/** The part of a database's time that a Date cannot hold. */
interface Finer {
  /** Milliseconds of the Date when it was read, to detect a later change. */
  readonly time: number;
  /** Digits behind the milliseconds, without zeros at the end. */
  readonly digits: string;
  /** The stored value, if the column's format has several forms of one moment. */
  readonly held: unknown;
  /** The form that `held` is of. */
  readonly form: string | undefined;
}

const known = new WeakMap<Date, Finer>();

/**
 * Attaches to a Date what it cannot hold, so that reading and saving a row changes nothing. A copy of the row keeps it; a Date made from
 * the Date, or set to another time, does not.
 *
 * @param digits - decimal digits of the second behind the first three
 * @param held - the value as it is stored, with the form (`format=`) that it is of
 */
export function keepFiner(date: Date, digits: string, held?: unknown, form?: string): Date {
  const counting = digits.replace(/0+$/, '');
  if (counting !== '' || form !== undefined) known.set(date, { time: date.getTime(), digits: counting, held, form });
  return date;
}

/** Digits of the second behind the first three; empty for a Date that is whole milliseconds. */
export const finerDigits = (date: Date): string => of(date)?.digits ?? '';

/**
 * A time of day as text with no more digits than its column has. A database would round, and `23:59:59.9999999` would be the next day's.
 *
 * @param most - decimal digits of the second
 */
export function cutDigits(time: string, most: number): string {
  const point = time.indexOf('.');
  return point < 0 ? time : time.slice(0, point + 1 + most);
}

/** The stored value of a Date that was read from a column of the same format; undefined for any other Date. */
export function heldAs(date: Date, form: string): unknown {
  const found = of(date);
  return found?.form === form ? found.held : undefined;
}

function of(date: Date): Finer | undefined {
  const found = known.get(date);
  return found?.time === date.getTime() ? found : undefined;
}
