import type { ColumnKind } from '../dialect/index.js';

/** What SQLite stores each kind as (https://sqlite.org/datatype3.html). */
export const SQLITE_TYPES: Readonly<Record<ColumnKind, string>> = {
  int: 'INTEGER',
  bigint: 'INTEGER',
  float: 'REAL',
  decimal: 'TEXT',
  string: 'TEXT',
  text: 'TEXT',
  boolean: 'INTEGER',
  date: 'TEXT',
  plainDate: 'TEXT',
  plainTime: 'TEXT',
  interval: 'TEXT',
  json: 'TEXT',
  bytes: 'BLOB',
  uuid: 'TEXT',
  enum: 'TEXT',
  array: 'TEXT',
  any: 'TEXT',
};

/** What a declared type means: the rules of type affinity, finer where names say more; undefined where they say nothing. */
export function kindOfType(type: string): ColumnKind | undefined {
  const name = type.toUpperCase();
  if (/BOOL/.test(name)) return 'boolean';
  if (/DATE|TIME/.test(name)) return 'date';
  if (/JSON/.test(name)) return 'json';
  if (/BIGINT|INT8/.test(name)) return 'bigint';
  if (/INT/.test(name)) return 'int';
  if (/CHAR|CLOB|TEXT/.test(name)) return 'string';
  if (/BLOB/.test(name)) return 'bytes';
  if (/REAL|FLOA|DOUB/.test(name)) return 'float';
  return /DEC|NUM/.test(name) ? 'decimal' : undefined;
}
