import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { chain } from '../session/maybe-promise.js';
import type { Database } from '../session/database.js';
import type { MaybePromise } from '../session/sql-handle.js';
import type { CreateOptions, Session } from '../session/session.js';

type AnyRow = Readonly<Record<string, unknown>>;

/** Whether an insert writes columns that the database would count. */
export const keepsKeysOf = ({ counted }: ModelInfo, call: CreateOptions | undefined): boolean =>
  call?.keepKeys === true && counted.length > 0;

/**
 * Checks the values of a row that keeps its keys.
 *
 * @throws FwError `FW_ORM_NULL_VALUE` for a row without one, `FW_ORM_VALUE` for one that the database would take for another
 */
export function assertKeys({ database }: Session, { name, counted }: ModelInfo, values: readonly unknown[]): void {
  for (const { index, property } of counted) {
    const value = values[index];
    if (value === undefined || value === null)
      throw fwError(ORM_ERRORS.FW_ORM_NULL_VALUE, { model: name, field: property });
    if (database.dialect.zeroIsNext && (value === 0 || value === 0n)) {
      const expected = `a key other than 0, which ${database.dialect.capabilities.dialect} takes for the next number`;
      throw fwError(ORM_ERRORS.FW_ORM_VALUE, { model: name, field: property, expected, got: '0' });
    }
  }
}

/** Makes the database's counter continue after the given keys of inserted rows. */
export function countBehind(session: Session, { counted }: ModelInfo, rows: readonly object[]): MaybePromise<void> {
  const [column] = counted;
  if (column === undefined || session.database.dialect.countBehind === undefined) return undefined;
  return countBehindKey(session, column, highestOf(rows, column));
}

/** Makes the database's counter continue after one key. */
export function countBehindKey(session: Session, column: ColumnInfo, key: bigint | undefined): MaybePromise<void> {
  if (key === undefined) return undefined;
  return chain(session.database.dialect.countBehind?.(session.connection, column, key), () => undefined);
}

/** The highest key of some rows. */
export function highestOf(rows: readonly object[], { property }: ColumnInfo): bigint | undefined {
  let highest: bigint | undefined;
  for (const row of rows) {
    const key = BigInt((row as AnyRow)[property] as bigint | number);
    if (highest === undefined || key > highest) highest = key;
  }
  return highest;
}

const noted = new WeakMap<Database, WeakSet<ModelInfo>>();

/** Warns about a given key that is not written, once per model. */
export function noteKeys(database: Database, model: ModelInfo, values: readonly unknown[]): void {
  const given = model.counted.find(({ index }) => values[index] !== undefined && values[index] !== null);
  if (given === undefined) return;
  const known = noted.get(database) ?? new WeakSet<ModelInfo>();
  if (known.has(model)) return;
  noted.set(database, known.add(model));
  database.options.onNote?.(
    `${model.name}.${given.property} was given to create and is not written, because the database counts it; pass { keepKeys: true } to keep the keys of rows, or leave it out`,
  );
}
