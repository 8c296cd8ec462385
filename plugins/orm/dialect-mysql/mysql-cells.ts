import type { CellTexts, ColumnKind } from '../dialect/index.js';

const MEANINGS: { readonly [Kind in ColumnKind]?: (column: string) => string } = {
  // A value that is no moment, such as 0000-00-00, has no difference.
  date: (column) =>
    `COALESCE(CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${column}) AS CHAR), CAST(${column} AS CHAR))`,
  // A FLOAT as text has six digits (https://dev.mysql.com/doc/refman/8.0/en/problems-with-float.html).
  float: (column) => `CAST(${column} + 0e0 AS CHAR)`,
  bytes: (column) => `LOWER(HEX(CAST(${column} AS BINARY)))`,
};

/** Cells of MySQL and MariaDB as text. */
export const mysqlCells: CellTexts = {
  exact: (column) => `HEX(CAST(${column} AS BINARY))`,
  meaning: (column, { kind }) => MEANINGS[kind]?.(column) ?? `CAST(${column} AS CHAR)`,
};
