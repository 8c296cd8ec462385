import type { BatchForm, ColumnInfo, ColumnKind, SqlConnection } from '../dialect/index.js';

/** Whether each value of a kind is one text; the values of the other kinds are left to a parameter each. */
const isOneText = (kind: ColumnKind): boolean => kind !== 'array' && kind !== 'any';

// The columns whose type has an array type and is not an array itself
// (https://www.postgresql.org/docs/current/catalog-pg-type.html). Without length and precision: the insert applies them and refuses a
// value that is too long, where a cast would cut it off. The type modifier -1 stands for no length; NULL would give `character`, which
// has one character.
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
  if (!columns?.every(({ kind }) => isOneText(kind))) return {};
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

/**
 * Reads the text of an array, of whatever type and number of dimensions.
 *
 * @param parse - reads the text of an element; left out where it stays text
 */
export function readArray(text: string, parse?: (element: string) => unknown): unknown[] {
  const outer: unknown[] = [];
  const open: unknown[][] = [outer];
  const element = /[{}]|"([^"\\]*(?:\\.[^"\\]*)*)"|[^{},"]+/gs;
  // Bounds may stand in front: [0:1]={1,2}.
  element.lastIndex = text.indexOf('{') + 1;
  for (let found = element.exec(text); found !== null; found = element.exec(text)) {
    const [written, inQuotes] = found;
    if (written === '{') open.push([]);
    else if (written === '}') (open.at(-2) ?? []).push(open.pop());
    else
      open
        .at(-1)
        ?.push(inQuotes === undefined ? plain(written, parse) : read(inQuotes.replace(/\\(.)/gs, '$1'), parse));
  }
  return outer;
}

const read = (text: string, parse?: (element: string) => unknown): unknown => (parse ? parse(text) : text);

const plain = (text: string, parse?: (element: string) => unknown): unknown => {
  return text === 'NULL' ? null : read(text, parse);
};

function quoted(value: string): string {
  return NEEDS_ESCAPE.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
