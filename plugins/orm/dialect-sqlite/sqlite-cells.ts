import type { CellTexts, ColumnKind } from '../dialect/index.js';
import { formatOfColumn } from './exact-times.js';
import { timeCodec } from './sqlite-times.js';

// Seventeen digits say a double exactly (https://sqlite.org/printf.html, the alternate-form-2 flag).
const double = (column: string): string => `replace(printf('%!.17g', ${column}), 'Inf', 'Infinity')`;

const MEANINGS: { readonly [Kind in ColumnKind]?: (column: string) => string } = {
  bytes: (column) => `CASE WHEN ${column} IS NOT NULL THEN lower(hex(${column})) END`,
  float: (column) =>
    `CASE WHEN typeof(${column}) IN ('integer', 'real') THEN ${double(column)} ELSE CAST(${column} AS TEXT) END`,
  any: (column) => `typeof(${column}) || ' ' || CASE typeof(${column}) WHEN 'blob' THEN lower(hex(${column}))
    WHEN 'real' THEN ${double(column)} ELSE CAST(${column} AS TEXT) END`,
};

/** Cells of SQLite as text, whatever storage class they have (https://sqlite.org/datatype3.html). */
export const sqliteCells: CellTexts = {
  exact: (column) => `CASE WHEN ${column} IS NULL THEN NULL ELSE typeof(${column}) || ' ' || quote(${column}) END`,
  meaning: (column, info) => {
    const { kind } = info;
    if (kind === 'date')
      return `CAST(COALESCE((${timeCodec(formatOfColumn(info)).instant(column)}) * 1000, ${column}) AS TEXT)`;
    return MEANINGS[kind]?.(column) ?? `CAST(${column} AS TEXT)`;
  },
};
