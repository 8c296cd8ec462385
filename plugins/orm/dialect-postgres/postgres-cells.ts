import type { CellTexts, ColumnKind } from '../dialect/index.js';

const MEANINGS: { readonly [Kind in ColumnKind]?: (column: string) => string } = {
  date: (column) =>
    `CASE WHEN isfinite(${column}) THEN (EXTRACT(EPOCH FROM ${column})::numeric * 1000000)::numeric(40, 0)::text ELSE ${column}::text END`,
  plainDate: (column) =>
    `CASE WHEN isfinite(${column}) THEN ${isoYear(column)} || to_char(${column}, '-MM-DD') ELSE ${column}::text END`,
  boolean: (column) => `${column}::int::text`,
  bytes: (column) => `encode(${column}, 'hex')`,
  // By its text, because a cast changes elements, such as those of inet; where commas part them in it
  // (https://www.postgresql.org/docs/current/catalog-pg-type.html, typdelim).
  array: (column) =>
    `array_to_json(CASE WHEN (SELECT typdelim FROM pg_catalog.pg_type WHERE oid = pg_typeof(${column})) = ',' THEN ${column}::text::text[] ELSE ${column}::text[] END)::text`,
};

// There is no year 0 (https://www.postgresql.org/docs/current/functions-datetime.html#FUNCTIONS-DATETIME-EXTRACT, year).
function isoYear(column: string): string {
  const year = `(EXTRACT(YEAR FROM ${column}) + CASE WHEN EXTRACT(YEAR FROM ${column}) < 0 THEN 1 ELSE 0 END)::int`;
  return `CASE WHEN ${year} BETWEEN 0 AND 9999 THEN lpad(${year}::text, 4, '0')
    ELSE CASE WHEN ${year} < 0 THEN '-' ELSE '+' END || lpad(abs(${year})::text, 6, '0') END`;
}

// A composite value whose parts are all null is itself not null, though `IS NULL` says so
// (https://www.postgresql.org/docs/current/functions-comparison.html).
const unlessNull = (column: string, text: string): string =>
  `CASE WHEN ${column} IS NOT DISTINCT FROM NULL THEN NULL ELSE ${text} END`;

/** Cells of PostgreSQL as text. A cast to text changes `character` and `name`, and the text of a record does not. */
export const postgresCells: CellTexts = {
  exact: (column) => unlessNull(column, `ROW(${column})::text`),
  meaning: (column, { kind }) => MEANINGS[kind]?.(column) ?? unlessNull(column, `format('%s', ${column})`),
};
