import type { ColumnKind } from '../model/kinds.js';
import { finerDigits } from '../model/finer-time.js';
import { temporalName } from '../model/temporal.js';

/** Comparison key of a key value. Numbers, texts and bigints compare by value; an int column may refer to a bigint column. */
export function scalarKey(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return `${value.toISOString()}${finerDigits(value)}`;
  // Of one moment or day, two objects; their text has every digit.
  if (temporalName(value) !== undefined) return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
}

/** Comparison key of a key of several columns. */
export const compositeKey = (values: readonly unknown[]): string =>
  JSON.stringify(values.map((value) => String(scalarKey(value))));

/** Kinds whose values collations compare. */
export const FOLDED: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['string', 'text', 'enum', 'uuid', 'any']);

/**
 * What keys have in common that a collation may take for equal: letters without case and marks, and no blanks. More may have it
 * (https://dev.mysql.com/doc/refman/8.0/en/charset-unicode-sets.html; a sharp s is one s or two).
 */
export function foldOf(key: unknown): unknown {
  if (typeof key !== 'string') return key;
  const plain = PLAIN.test(key)
    ? key
    : key
        .normalize('NFKD')
        .replace(/[\p{M}\p{C}]/gu, '')
        .replaceAll('ß', 's');
  return plain.toLowerCase().replace(/\s+/g, '').replace(/s+/g, 's');
}

// Printable ASCII.
const PLAIN = /^[ -~]*$/;

/** A list in portions of at most so many. */
export function portionsOf<Item>(list: readonly Item[], most: number): readonly (readonly Item[])[] {
  const size = Math.max(1, most);
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}
