import type { CellTexts, ColumnKind } from '../dialect/index.js';

// The driver leaves out a fraction of nothing but zeros, and those at the end of a time of day.
export const textOfTime = (time: () => string): string =>
  `CASE WHEN MICROSECOND(${time()}) = 0 THEN SUBSTRING_INDEX(CAST(${time()} AS CHAR), '.', 1)
    ELSE TRIM(TRAILING '0' FROM CAST(${time()} AS CHAR)) END`;
const textOfMoment = (column: string): string =>
  `CASE WHEN MICROSECOND(${column}) = 0 THEN SUBSTRING_INDEX(CAST(${column} AS CHAR), '.', 1) ELSE CAST(${column} AS CHAR) END`;

const TIMES_AS_TEXT = /^(?:datetime|timestamp)\b/i;

// A number without the zeros that ZEROFILL shows, and those of the year 0000.
const textOfNumber = (column: string): string => `CAST(${column} + 0 AS CHAR)`;

const MEANINGS: { readonly [Kind in ColumnKind]?: (column: string) => string } = {
  // A value that is no moment, such as 0000-00-00, has no difference.
  date: (column) =>
    `COALESCE(CAST(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', ${column}) AS CHAR), CAST(${column} AS CHAR))`,
  // A FLOAT as text has six digits (https://dev.mysql.com/doc/refman/8.0/en/problems-with-float.html).
  float: (column) => `CAST(${column} + 0e0 AS CHAR)`,
  int: textOfNumber,
  bigint: textOfNumber,
  plainTime: (column) => textOfTime(() => column),
  bytes: (column) => `LOWER(HEX(CAST(${column} AS BINARY)))`,
};

/** Cells of MySQL and MariaDB as text. */
export const mysqlCells: CellTexts = {
  exact: (column) => `HEX(CAST(${column} AS BINARY))`,
  meaning: (column, { kind, definition: { sqlType = '' } }) =>
    TIMES_AS_TEXT.test(sqlType) && kind === 'string'
      ? textOfMoment(column)
      : (MEANINGS[kind]?.(column) ?? `CAST(${column} AS CHAR)`),
};
