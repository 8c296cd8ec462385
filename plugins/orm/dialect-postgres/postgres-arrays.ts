import type { BatchForm, ColumnInfo, ColumnKind, SqlConnection } from '../core/index.js';

/** Kinds whose values are one text each; the others are left to a parameter of their own. */
const SCALAR: ReadonlySet<ColumnKind> = new Set<ColumnKind>([
  'int',
  'bigint',
  'float',
  'decimal',
  'string',
  'text',
  'boolean',
  'date',
  'json',
  'bytes',
  'uuid',
  'enum',
]);

// Types that have an array type and are none (https://www.postgresql.org/docs/current/catalog-pg-type.html). Without the
// length or precision of the column: the insert itself applies it and refuses what is too long, where a cast cuts it off. The -1
// says that there is none; NULL would give `character`, which is a single one.
const TYPES = `SELECT a.attname, format_type(a.atttypid, -1) FROM pg_catalog.pg_attribute a
  JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND t.typarray <> 0 AND t.typcategory <> 'A'`;

/**
 * The values of a column travel as one array, as long as all columns of the table can.
 *
 * @param table - quoted
 */
export async function arrayForm(
  on: SqlConnection,
  table: string,
  columns: readonly ColumnInfo[] | undefined,
): Promise<BatchForm> {
  if (!columns?.every(({ kind }) => SCALAR.has(kind))) return {};
  const byName = new Map((await on.query(TYPES, [table])).map(([name, type]) => [name, String(type)]));
  const types = columns.map(({ name }) => byName.get(name));
  return types.every((type) => type !== undefined) ? { arrays: types } : {};
}

const NEEDS_ESCAPE = /["\\]/;

/**
 * Bound values as the text of an array (https://www.postgresql.org/docs/current/arrays.html, "Array Input and Output
 * Syntax"). Written here and not by the driver, which looks at each value again.
 */
export function arrayText(values: readonly unknown[], bind: ((value: unknown) => unknown) | undefined): string {
  let text = '{';
  for (let at = 0; at < values.length; at++) {
    if (at > 0) text += ',';
    const value = values[at] === null || bind === undefined ? values[at] : bind(values[at]);
    if (typeof value === 'string') text += quoted(value);
    else if (value === null) text += 'NULL';
    else text += value instanceof Uint8Array ? `"\\\\x${Buffer.from(value).toString('hex')}"` : String(value);
  }
  return `${text}}`;
}

function quoted(value: string): string {
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
