/** What a database says of a moment beyond the milliseconds of a Date. */
interface Finer {
  /** Milliseconds of the Date when it was read: one that was set since is another moment. */
  readonly time: number;
  /** Digits behind the milliseconds, without zeros at the end. */
  readonly digits: string;
  /** What the database holds, where the form of a column can say one moment in several ways. */
  readonly held: unknown;
  /** The form that `held` is of. */
  readonly form: string | undefined;
}

const known = new WeakMap<Date, Finer>();

/**
 * Keeps with a Date what it cannot hold itself, so that a row that is read and saved changes nothing that nobody touched. A copy of the
 * row has it, too; a Date made of the Date, or set to another time, has not.
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

/** What the column holds of a form for a Date that was read of one of the same form; undefined for any other Date. */
export function heldAs(date: Date, form: string): unknown {
  const found = of(date);
  return found?.form === form ? found.held : undefined;
}

function of(date: Date): Finer | undefined {
  const found = known.get(date);
  return found?.time === date.getTime() ? found : undefined;
}
