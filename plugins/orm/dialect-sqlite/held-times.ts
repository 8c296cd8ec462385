import { timeFormatText, type HeldTimes, type SqlConnection, type TimePlace } from '../dialect/index.js';
import { ISO_FORMAT, MOST_SECONDS } from './sqlite-times.js';
import { formOf, formOfAll } from './time-forms.js';

/** Forms that a sentence names. */
const MOST_NAMED = 4;
const FROM_DEFAULTS: readonly (readonly [RegExp, string])[] = [
  [/^\(?\s*(?:current_timestamp|datetime\('now'\))\s*\)?$/i, 'YYYY-MM-DD hh:mm:ss'],
  [/^\(?\s*(?:current_date|date\('now'\))\s*\)?$/i, 'YYYY-MM-DD'],
  [/^\(?\s*(?:unixepoch\((?:'now')?\)|(?:cast\()?strftime\('%s', ?'now'\)(?: as integer\))?)\s*\)?$/i, 'unix'],
  [/^\(?\s*julianday\((?:'now')?\)\s*\)?$/i, 'julian'],
];

/** How a column holds times: told from all of its values, or, where it has none, from its default. */
export async function heldTimes(
  on: Pick<SqlConnection, 'query'>,
  { table, column, default: fallback, most }: TimePlace,
): Promise<HeldTimes> {
  const [all, name] = [table, column].map((each) => `"${each.replaceAll('"', '""')}"`) as [string, string];
  const from = most === undefined ? all : `(SELECT ${name} FROM ${all} WHERE ${name} IS NOT NULL LIMIT ${most})`;
  const rows = await on.query(groupedByForm(from, name), []);
  const values = rows.flatMap(([least, greatest]) => [least, greatest]);
  if (values.length === 0) {
    const known = FROM_DEFAULTS.find(([pattern]) => fallback !== null && pattern.test(fallback));
    return known ? { format: known[1] } : {};
  }
  const form = formOfAll(values);
  if (form === undefined) return { problem: problemOf(values) };
  const format = timeFormatText(form);
  return format === ISO_FORMAT ? {} : { format };
}

// Of each form one value, because the least and the greatest are of one.
function problemOf(values: readonly unknown[]): string {
  const told = new Map<string, string>();
  for (const value of values) {
    const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
    const found = formOf(value);
    const form = found === undefined ? shown : timeFormatText(found);
    if (!told.has(form)) told.set(form, found === undefined ? shown : `${form} (${shown})`);
  }
  return `holds times as ${[...told.values()].slice(0, MOST_NAMED).join(', as ')}, which no one format reads`;
}

// The least and the greatest value of each form: type, length, separators and offset of a text; magnitude of a number. Reads the table
// once.
function groupedByForm(table: string, column: string): string {
  const isLong = `typeof(${column}) = 'text' AND length(${column}) > 10`;
  return `SELECT min(${column}), max(${column}) FROM ${table} WHERE ${column} IS NOT NULL GROUP BY typeof(${column}),
    CASE typeof(${column}) WHEN 'text' THEN length(${column}) || substr(${column}, 11, 1) || substr(${column}, 17, 1) || substr(${column}, 20, 1)
      ELSE CASE WHEN abs(${column}) >= ${MOST_SECONDS} THEN 3 WHEN abs(${column}) >= ${MOST_SECONDS / 10} THEN 2
        WHEN abs(${column}) >= 100000000 THEN 1 ELSE 0 END END,
    CASE WHEN ${isLong} AND substr(${column}, -6, 1) IN ('+', '-') THEN substr(${column}, -6)
      WHEN ${isLong} AND substr(${column}, -1) NOT BETWEEN '0' AND '9' THEN substr(${column}, -1) END
    LIMIT 1000`;
}
