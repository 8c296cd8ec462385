import { isDeepStrictEqual } from 'node:util';
import { isFwError } from '../../../kernel/index.js';
import { parsedJson } from '../../../kernel/values/index.js';
import { exactNumber, type ColumnInfo, type ColumnKind } from '../core/index.js';

/** A problem of a cell, as the end of a sentence that begins with its column. */
interface CellProblem {
  readonly problem: string;
  /** The database's value, and the value that was read. */
  readonly example: string;
}

/** Problem or note about a value that was read; empty when it equals the database's value. */
export interface CellVerdict {
  readonly wrong?: CellProblem;
  /** Said once for the column. */
  readonly note?: string;
}

const RIGHT: CellVerdict = {};

/**
 * Compares a value that was read with the database's text of the cell.
 *
 * @param text - the meaning of the cell ({@link CellTexts}); null for null
 */
export function cellVerdict(column: ColumnInfo, value: unknown, text: string | null): CellVerdict {
  if (value === null && text === null) return RIGHT;
  if (value === null && column.kind === 'json' && text?.trim() === 'null')
    return { note: 'holds the null of JSON, which is read as null: a row that is saved keeps it' };
  if (value === null || text === null || !isSame(column, value, text))
    return { wrong: { problem: 'is read as something else', example: exampleOf(value, text) } };
  const refused = refusalOf(column, value);
  if (refused !== undefined) return { wrong: { problem: refused, example: exampleOf(value, text) } };
  if (column.kind === 'date' && BigInt(text) % THOUSAND !== 0n)
    return {
      note: 'has moments that are finer than a millisecond, which a Date does not show: a row that is saved keeps them',
    };
  if (column.kind === 'json' && !digitsKept(text))
    return {
      note: 'has numbers in JSON that a double does not hold: they are read as the nearest, and a row that is saved keeps them',
    };
  return RIGHT;
}

function isSame(column: ColumnInfo, value: unknown, text: string): boolean {
  const { kind, definition } = column;
  if (kind === 'array') return Array.isArray(value) && isSameList(definition.element ?? 'any', value, parsedJson(text));
  return SAME[kind](value, text);
}

function isSameList(element: ColumnKind, values: readonly unknown[], texts: unknown): boolean {
  if (!Array.isArray(texts) || texts.length !== values.length) return false;
  return values.every((value, at) => {
    const text: unknown = texts[at];
    if (Array.isArray(value) && Array.isArray(text)) return isSameList(element, value, text);
    if (value === null) return text === null || (element === 'json' && text === 'null');
    if (typeof text !== 'string') return value === text;
    return (OF_LISTS[element] ?? SAME[element])(value, text);
  });
}

type Comparison = (value: unknown, text: string) => boolean;

const asText: Comparison = (value, text) => typeof value === 'string' && value === text;

const SAME: Readonly<Record<ColumnKind, Comparison>> = {
  int: (value, text) => typeof value === 'number' && String(value) === text,
  bigint: (value, text) => typeof value === 'bigint' && String(value) === text,
  // For single precision, one text has the nearest double and the other all of its digits.
  float: (value, text) =>
    typeof value === 'number' &&
    (Object.is(value, Number(text)) || Math.fround(value) === Number(text) || value === Number(text)),
  // SQLite says a double with an exponent or a point that nobody wrote.
  decimal: (value, text) =>
    typeof value === 'string' && (value === text || (/e|\.0$/i.test(text) && Number(value) === Number(text))),
  string: asText,
  text: asText,
  boolean: (value, text) => typeof value === 'boolean' && (value ? '1' : '0') === text,
  date: (value, text) =>
    value instanceof Date && /^-?\d+$/.test(text) && String(value.getTime()) === String(floored(BigInt(text))),
  plainDate: asText,
  plainTime: asText,
  interval: asText,
  json: (value, text) => isDeepStrictEqual(value, parsedJson(text)),
  bytes: (value, text) => value instanceof Uint8Array && Buffer.from(value).toString('hex') === text,
  uuid: (value, text) => typeof value === 'string' && value.toLowerCase() === text.toLowerCase(),
  enum: (value, text) => String(value) === text,
  array: () => false,
  any: (value, text) => storedText(value).includes(text) || isSameNumber(value, text),
};

// As PostgreSQL writes them in the text of an array.
const OF_LISTS: { readonly [Kind in ColumnKind]?: Comparison } = {
  boolean: (value, text) => typeof value === 'boolean' && (value ? 't' : 'f') === text,
  date: (value, text) => value instanceof Date && Math.abs(value.getTime() - momentOf(text)) < 1,
  plainDate: (value, text) => value === isoDay(text),
  bytes: (value, text) => value instanceof Uint8Array && `\\x${Buffer.from(value).toString('hex')}` === text,
};

// There is no year 0 before Christ (https://www.postgresql.org/docs/current/datatype-datetime.html).
function isoDay(text: string): string {
  const [, year, rest, isBefore] = /^(\d+)(-\d\d-\d\d)( BC)?$/.exec(text) ?? [];
  if (year === undefined) return text;
  const astronomical = isBefore === undefined ? Number(year) : 1 - Number(year);
  if (astronomical >= 0 && astronomical <= 9999) return `${String(astronomical).padStart(4, '0')}${rest}`;
  return `${astronomical < 0 ? '-' : '+'}${String(Math.abs(astronomical)).padStart(6, '0')}${rest}`;
}

const THOUSAND = 1000n;

/** Whole milliseconds below so many microseconds. */
const floored = (microseconds: bigint): bigint =>
  (microseconds - (((microseconds % THOUSAND) + THOUSAND) % THOUSAND)) / THOUSAND;

const momentOf = (text: string): number =>
  Date.parse(`${text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')}${/[+-]\d\d(:?\d\d)?$/.test(text) ? '' : 'Z'}`);

function storedText(value: unknown): readonly string[] {
  if (value instanceof Uint8Array) return [`blob ${Buffer.from(value).toString('hex')}`];
  if (typeof value === 'number' || typeof value === 'bigint') return [`integer ${value}`];
  return [`text ${String(value)}`];
}

const isSameNumber = (value: unknown, text: string): boolean =>
  typeof value === 'number' && text.startsWith('real ') && Object.is(value, Number(text.slice('real '.length)));

/** Whether two JSON texts say the same, however they are spelled; every number counts with all of its digits. */
export function isSameJson(one: string, other: string): boolean {
  return (
    isDeepStrictEqual(parsedJson(one), parsedJson(other)) &&
    isDeepStrictEqual(numbersIn(one).map(exactNumber), numbersIn(other).map(exactNumber))
  );
}

const numbersIn = (text: string): readonly string[] =>
  text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? [];

/** Whether JavaScript can hold every number of a JSON text; comparing values would not find digits that both have lost. */
function digitsKept(text: string): boolean {
  return numbersIn(text).every((number) => exactNumber(number) === exactNumber(String(Number(number))));
}

// Whether a value that was read can be written back.
function refusalOf(column: ColumnInfo, value: unknown): string | undefined {
  try {
    column.checked(value);
    return undefined;
  } catch (error) {
    if (!isFwError(error)) throw error;
    return `is read, and refused when it is written: expected ${String(error.details['expected'])}`;
  }
}

const exampleOf = (value: unknown, text: string | null): string =>
  `the database says ${shortened(text)}, read was ${shortened(value)}`;

const MOST_SHOWN = 60;

/** A value for people, on one line. */
export function shortened(value: unknown): string {
  const text =
    value instanceof Date && !Number.isNaN(value.getTime())
      ? value.toISOString()
      : value instanceof Uint8Array
        ? `bytes ${Buffer.from(value).toString('hex')}`
        : typeof value === 'string'
          ? JSON.stringify(value)
          : typeof value === 'object' && value !== null
            ? JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
            : String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}
