import type { EnumValue } from '../model/model-definition.js';

const [LEAST_INT, MOST_INT] = [-(2 ** 31), 2 ** 31 - 1];

/** Whether values are numbers, all of them. */
export function isNumeric(values: readonly EnumValue[] | undefined): values is readonly number[] {
  return values !== undefined && values.length > 0 && values.every((value) => typeof value === 'number');
}

/** Kind of a column for these numbers: `int` where all are whole numbers of 32 bits, else `float`, which holds every number of JavaScript. */
export function numericKind(values: readonly number[]): 'int' | 'float' {
  return values.every((value) => Number.isInteger(value) && value >= LEAST_INT && value <= MOST_INT) ? 'int' : 'float';
}

// https://dev.mysql.com/doc/refman/8.0/en/string-literals.html, which PostgreSQL's E'' shares.
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', 0: '\0', Z: '\u001a' };

/**
 * The letters between the quotes of an SQL text.
 *
 * @param backslashes - whether a backslash escapes what follows it
 */
export function quotedLetters(inner: string, backslashes: boolean): string {
  if (!backslashes) return inner.replaceAll("''", "'");
  return inner.replace(/''|\\([\s\S])/g, (_found, letter?: string) =>
    letter === undefined ? "'" : (ESCAPED[letter] ?? letter),
  );
}
