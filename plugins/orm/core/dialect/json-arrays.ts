import type { ColumnInfo } from '../model/model-info.js';
import { jsonText, plainJson } from './json-text.js';
import { decimalOfDigits, finiteNumber, type ColumnKind, type KindCodec } from '../model/kinds.js';
import { decimalText } from '../model/number-text.js';

// JSON has texts, doubles and booleans; the other kinds travel as text.
const ELEMENTS: Partial<Readonly<Record<ColumnKind, KindCodec>>> = {
  bigint: { encode: String, decode: (value: string | number) => BigInt(value) },
  decimal: { encode: decimalOfDigits, decode: decimalText },
  float: { encode: finiteNumber },
  date: { encode: (value: Date) => value.toISOString(), decode: (value: string) => new Date(value) },
  bytes: {
    encode: (value: Uint8Array) => Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'),
    decode: (value: string) => new Uint8Array(Buffer.from(value, 'base64')),
  },
};

/**
 * A list with each of its elements changed but null, or the list itself when there is nothing to change. A list in it is one of a further
 * dimension, whose elements are changed.
 */
export function mapElements(list: unknown, change: ((element: never) => unknown) | undefined): unknown {
  if (change === undefined || !Array.isArray(list)) return list;
  const changed = (element: unknown): unknown => {
    if (element === null) return null;
    return Array.isArray(element) ? element.map(changed) : change(element as never);
  };
  return list.map(changed);
}

/** Arrays of databases that keep them as JSON: elements of every kind come back as they were written. */
export const jsonArrays: KindCodec = {
  encode: (list: readonly unknown[], column?: ColumnInfo) => {
    const encode = ELEMENTS[column?.definition.element ?? 'any']?.encode;
    const change = encode && ((element: never) => encode(element, column));
    return jsonText(mapElements(list, change), column);
  },
  // A database with a type for JSON may have read it already.
  decode: (value: unknown, element: ColumnKind = 'any') => {
    const list = typeof value === 'string' ? plainJson(value) : value;
    return mapElements(list, ELEMENTS[element]?.decode);
  },
};
