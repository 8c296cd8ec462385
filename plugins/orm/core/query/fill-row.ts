import { columnDecoder } from '../dialect/column-decoder.js';
import type { PositionalRow } from '../model/model-definition.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { Session } from '../session/session.js';

/** Decodes positional values into the properties of a row. */
export function fillRow(session: Session, instance: object, columns: readonly ColumnInfo[], row: PositionalRow): void {
  const { dialect } = session.database;
  columns.forEach((column, at) => {
    const value = row[at];
    const decode = columnDecoder(dialect, column);
    (instance as Record<string, unknown>)[column.property] =
      value === null || value === undefined ? null : decode ? decode(value) : value;
  });
}
