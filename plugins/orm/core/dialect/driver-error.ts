import { isError } from '../../../../kernel/errors/index.js';

/** Where the errors of a driver have values of rows. */
export interface ValuesInErrors {
  /** Each matches the text before a quoted value (captured) and the value; text after it is only a lookahead. */
  readonly quoted: readonly RegExp[];
  /** Members of the driver's errors that may hold values. */
  readonly members: readonly string[];
}

// The error is logged, and the column may be private.
function withoutValue(message: string, quoted: readonly RegExp[]): string {
  return quoted.reduce((text, pattern) => text.replace(pattern, '$1***'), message);
}

/**
 * Removes values of rows from the error of a driver, because loggers write its message, stack and members.
 *
 * @param error - what the driver threw
 * @param where - where such errors have values
 */
export function takeValues(error: unknown, { quoted, members }: ValuesInErrors): void {
  if (!isError(error)) return;
  for (const name of members) Reflect.deleteProperty(error, name);
  const { message, stack } = error;
  const safe = withoutValue(message, quoted);
  if (safe === message) return;
  error.message = safe;
  if (stack !== undefined) error.stack = stack.replace(message, () => safe);
}
