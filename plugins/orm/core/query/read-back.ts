import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { columnStep, comparisonStep, plainTarget } from '../plan/steps.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise, WriteResult } from '../session/sql-handle.js';
import type { CallOptions, Session } from '../session/session.js';
import { fillRow } from './fill-row.js';
import { readFirst } from './reads.js';

/** A row that was just inserted. */
export interface Inserted {
  readonly session: Session;
  readonly info: ModelInfo;
  readonly instance: object;
  /** Columns that the INSERT left out. */
  readonly missing: readonly ColumnInfo[];
  /** Columns that RETURNING or OUTPUT gave. */
  readonly reads: readonly ColumnInfo[];
  readonly call: CallOptions | undefined;
}

/**
 * Fills a row with what the database made of it: from RETURNING, from the generated key, and, where neither tells all, from
 * one more read by primary key.
 */
export function readBack(inserted: Inserted, result: WriteResult): MaybePromise<object> {
  const { session, info, instance, missing, reads } = inserted;
  if (result.rows?.[0]) fillRow(session, instance, reads, result.rows[0]);
  const unknown = missing.filter((column) => !reads.includes(column) && !fillPlain(info, instance, column, result));
  return unknown.length === 0 ? instance : reread(inserted, unknown);
}

function fillPlain(info: ModelInfo, instance: object, column: ColumnInfo, { insertId }: WriteResult): boolean {
  const row = instance as Record<string, unknown>;
  if (column.autoincrement) {
    if (insertId === undefined) return false;
    row[column.property] = column.kind === 'bigint' ? BigInt(insertId) : Number(insertId);
    return true;
  }
  if (column.generated || column.definition.default !== undefined) return info.primaryKey.length === 0;
  // Not null and without a default: a plugin has filled it.
  if (!column.nullable) return false;
  row[column.property] = null;
  return true;
}

function reread({ session, info, instance, call }: Inserted, unknown: readonly ColumnInfo[]): MaybePromise<object> {
  let shape = session.database.planner.forest.root(info);
  for (const column of unknown) {
    const target = plainTarget(column);
    const { key, part } = columnStep(target, 'select', () => ({ t: 'select', target, values: 0 }));
    shape = shape.then(key, part);
  }
  for (const column of info.primaryKey) {
    const { key, part } = comparisonStep(plainTarget(column), 'eq');
    shape = shape.then(key, part);
  }
  const values = () => info.primaryKey.map(({ property }) => (instance as Record<string, unknown>)[property]);
  return chain(readFirst({ session, shape, values }, call), (read) => Object.assign(instance, read));
}
