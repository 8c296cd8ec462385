import type { ColumnKind } from '../dialect/kinds.js';
import type { PositionalRow } from '../model/model-definition.js';
import type { ColumnInfo } from '../model/model-info.js';
import type { Session } from '../session/session.js';

/** Decodes positional values into the properties of a row. */
export function fillRow(session: Session, instance: object, columns: readonly ColumnInfo[], row: PositionalRow): void {
  const { codecs } = session.database.dialect;
  columns.forEach((column, at) => {
    const value = row[at];
    const decode = codecs[column.kind].decode as ((value: unknown, element?: ColumnKind) => unknown) | undefined;
    (instance as Record<string, unknown>)[column.property] =
      value === null || value === undefined ? null : decode ? decode(value, column.definition.element) : value;
  });
}
