import { systemClock } from '../../../../kernel/index.js';
import { momentFor, type ColumnInfo, type ModelInfo } from '../model/model-info.js';
import { beginVersion } from './row-versions.js';

type AnyRow = Record<string, unknown>;

const NONE: readonly ColumnInfo[] = [];

/**
 * Gives a new row what the ORM fills: the present time, and its first version; what the row says itself stays. @returns the columns
 * that were filled
 */
export function fillNew({ timed, version }: ModelInfo, row: object): readonly ColumnInfo[] {
  if (timed.length === 0 && version === undefined) return NONE;
  const missing = timed.filter(({ property }) => (row as AnyRow)[property] === undefined);
  setTimes(missing, row);
  return version && beginVersion(version, row) ? [...missing, version] : missing;
}

/**
 * Gives a row that is about to be updated the present time. A row that was read has the time of its last update, which cannot be told from
 * an intended one; so it is always replaced. If no column of the row is given, nothing is updated.
 */
export function touchTimes({ touched, updatable }: ModelInfo, row: object): void {
  if (touched.length === 0) return;
  if (updatable.some(({ property }) => (row as AnyRow)[property] !== undefined)) setTimes(touched, row);
}

/** The present time, as a value of a column. */
export const presentTime = (column: ColumnInfo): Date | object => momentFor(column, new Date(systemClock.now()));

// All times of a row are the same moment, in separate objects.
function setTimes(columns: readonly ColumnInfo[], row: object): void {
  const now = systemClock.now();
  for (const column of columns) (row as AnyRow)[column.property] = momentFor(column, new Date(now));
}
