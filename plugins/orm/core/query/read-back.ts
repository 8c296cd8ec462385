import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { Comparison } from '../expression/conditions.js';
import { plainTarget } from '../plan/interned-parts.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise, WriteResult } from '../session/sql-handle.js';
import type { CallOptions, Session } from '../session/session.js';
import { model } from './query.js';
import { fillRow } from './creates.js';

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
  const row = instance as Record<string, unknown>;
  const query = info.primaryKey.reduce(
    (at, key) => at.where(new Comparison(plainTarget(key), 'eq', row[key.property])),
    model<object>(session, info.target).select(...(unknown.map(({ property }) => property) as never[])),
  );
  return chain(query.first(call), (read) => Object.assign(instance, read));
}
