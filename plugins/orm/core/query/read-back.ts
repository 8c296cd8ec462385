import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import type { Part } from '../plan/parts.js';
import { comparisonStep, plainTarget, selectStep } from '../plan/steps.js';
import { chain } from '../session/maybe-promise.js';
import type { MaybePromise, WriteResult } from '../session/sql-handle.js';
import type { CallOptions, Session } from '../session/session.js';
import { fillRow } from './fill-row.js';
import { readFirst } from './reads.js';

/** A row that was just inserted. */
interface Inserted {
  readonly session: Session;
  readonly info: ModelInfo;
  readonly instance: object;
  /** Columns that the INSERT left out. */
  readonly missing: readonly ColumnInfo[];
  /** Columns that RETURNING or OUTPUT gave. */
  readonly reads: readonly ColumnInfo[];
  readonly call: CallOptions | undefined;
  /** Columns of `missing` that the database computed. */
  readonly computed?: readonly ColumnInfo[] | undefined;
}

/**
 * Fills a row with the database's values: from RETURNING, from the generated key, and, if both do not suffice, from one more read by
 * primary key.
 */
export function readBack(inserted: Inserted, result: WriteResult): MaybePromise<object> {
  const { session, instance, missing, reads } = inserted;
  if (result.rows?.[0]) fillRow(session, instance, reads, result.rows[0]);
  const unknown = missing.filter((column) => !reads.includes(column) && !fillPlain(inserted, column, result));
  return unknown.length === 0 ? instance : reread(inserted, unknown);
}

function fillPlain(
  { session, info, instance, computed }: Inserted,
  column: ColumnInfo,
  { insertId }: WriteResult,
): boolean {
  const { plugins } = session.database.options;
  const row = instance as Record<string, unknown>;
  if (column.autoincrement) {
    if (insertId === undefined) return false;
    row[column.property] = column.kind === 'bigint' ? BigInt(insertId) : Number(insertId);
    return true;
  }
  if (column.generated || column.definition.default !== undefined || computed?.includes(column))
    return info.primaryKey.length === 0;
  // A column that is not null and has no default was filled by a plugin, which may also fill a nullable one.
  if (!column.nullable || plugins.some((plugin) => plugin.fills?.(column))) return info.primaryKey.length === 0;
  row[column.property] = null;
  return true;
}

const SCOPE: Part = Object.freeze({ t: 'scope', deleted: 'with', values: 0 });

// By name, because copying an object skips hidden columns.
function copied(instance: object, read: object, columns: readonly ColumnInfo[]): object {
  for (const { property } of columns)
    (instance as Record<string, unknown>)[property] = (read as Record<string, unknown>)[property];
  return instance;
}

function reread({ session, info, instance, call }: Inserted, unknown: readonly ColumnInfo[]): MaybePromise<object> {
  // Reads the written row even if it is soft-deleted.
  let shape = session.database.planner.forest.root(info).then('scope:with', SCOPE);
  for (const column of unknown) {
    const { key, part } = selectStep(plainTarget(column));
    shape = shape.then(key, part);
  }
  for (const column of info.primaryKey) {
    const { key, part } = comparisonStep(plainTarget(column), 'eq');
    shape = shape.then(key, part);
  }
  const values = (places: readonly number[] = []) => {
    const key: unknown[] = [];
    for (const [at, { property }] of info.primaryKey.entries())
      key[places[at] ?? at] = (instance as Record<string, unknown>)[property];
    return key;
  };
  return chain(readFirst({ session, shape, values }, call), (read) => copied(instance, read, unknown));
}
