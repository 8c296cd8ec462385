import type { ColumnInfo } from '../model/model-info.js';
import { typeInWords, valueRefusal } from '../model/kinds.js';
import { digitsOf } from '../model/number-text.js';

/** Checks a value for a column: throws for one that the database would refuse without naming the column. */
export type ColumnLimit = (value: unknown) => void;

/** How a database counts the characters of a text: an emoji is one, or two where they are pairs of bytes. */
type CharacterSize = (text: string) => number;

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
 * The check of a server's column whose range is smaller than that of its kind: numbers of 32 bits, and columns with `size=` or
 * `precision=`. Undefined without such a limit, and for a column with a native type, but for one of days, which would keep the day of a moment
 * in UTC.
 */
export function columnLimit(column: ColumnInfo, characters: CharacterSize): ColumnLimit | undefined {
  const { sqlType, size, precision, scale = 0 } = column.definition;
  if (sqlType !== undefined) return column.kind === 'date' && /^date$/i.test(sqlType) ? dayLimit(column) : undefined;
  if (column.kind === 'int') return (value) => void (typeof value === 'number' && int32(value, column));
  if (column.kind === 'string' && size !== undefined) return sizeLimit(column, size, characters);
  if (column.kind === 'decimal' && precision !== undefined) return digitsLimit(column, precision - scale);
  return undefined;
}

function dayLimit(column: ColumnInfo): ColumnLimit {
  const day = 'a day: the column holds days, which have no time and no zone (declare the property as PlainDate)';
  return (value) => {
    if (value !== null) throw valueRefusal(column, day, typeInWords(value));
  };
}

function sizeLimit(column: ColumnInfo, most: number, characters: CharacterSize): ColumnLimit {
  return (value) => {
    // A text has at most as many characters as code units, so most texts need no counting.
    if (typeof value !== 'string' || value.length <= most) return;
    const size = characters(value);
    if (size > most) throw valueRefusal(column, `a string of at most ${most} characters`, `one of ${size}`);
  };
}

// Digits beyond the scale are rounded, as in SQL; only digits before the point can be too many.
function digitsLimit(column: ColumnInfo, most: number): ColumnLimit {
  return (value) => {
    // A text that is no number is refused later.
    const digits = digitsOf(String(value))?.whole.length ?? 0;
    if (digits > most)
      throw valueRefusal(column, `a decimal number of at most ${most} digits before the point`, `one of ${digits}`);
  };
}

/** Characters of a text, an emoji as one. */
export const characterCount: CharacterSize = (text) => [...text].length;
