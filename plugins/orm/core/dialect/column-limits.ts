import type { ColumnInfo } from '../model/model-info.js';
import { valueRefusal } from './kinds.js';
import { digitsOf } from './number-text.js';

/** Looks at a value on its way into a column: throws for one that the database would refuse without naming the column. */
export type ColumnLimit = (value: unknown) => void;

/** How a database counts the characters of a text: an emoji is one, or two where they are pairs of bytes. */
export type CharacterSize = (text: string) => number;

const [LEAST_INT, MOST_INT] = [-(2 ** 31), 2 ** 31 - 1];

/**
 * The number itself, when a column of 32 bits holds it.
 *
 * @throws FwError `FW_ORM_VALUE`
 */
export function int32(value: number, column?: ColumnInfo): number {
  if (value >= LEAST_INT && value <= MOST_INT) return value;
  throw valueRefusal(column, 'a whole number of at most 32 bits', `the number ${value}`);
}

/**
 * What a column of a server holds less of than its kind says: numbers of 32 bits, and what `size=` and `precision=` declare.
 * Undefined for nothing, and for a column with a type of the database's own.
 */
export function columnLimit(column: ColumnInfo, characters: CharacterSize): ColumnLimit | undefined {
  const { sqlType, size, precision, scale = 0 } = column.definition;
  if (sqlType !== undefined) return undefined;
  if (column.kind === 'int') return (value) => void (typeof value === 'number' && int32(value, column));
  if (column.kind === 'string' && size !== undefined) return sizeLimit(column, size, characters);
  if (column.kind === 'decimal' && precision !== undefined) return digitsLimit(column, precision - scale);
  return undefined;
}

function sizeLimit(column: ColumnInfo, most: number, characters: CharacterSize): ColumnLimit {
  return (value) => {
    // No text has more characters than units, so that most need no counting.
    if (typeof value !== 'string' || value.length <= most) return;
    const size = characters(value);
    if (size > most) throw valueRefusal(column, `a string of at most ${most} characters`, `one of ${size}`);
  };
}

// What is behind the scale is rounded, as SQL says; digits before the point have no place to go.
function digitsLimit(column: ColumnInfo, most: number): ColumnLimit {
  return (value) => {
    // What is no number is refused as that, a moment later.
    const digits = digitsOf(String(value))?.whole.length ?? 0;
    if (digits > most)
      throw valueRefusal(column, `a decimal number of at most ${most} digits before the point`, `one of ${digits}`);
  };
}

/** Characters of a text, an emoji as one. */
export const characterCount: CharacterSize = (text) => [...text].length;
