import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';

type AnyRow = Record<string, unknown>;

/** Gives a new row its first version, unless it says one. @returns whether it did */
export function beginVersion(column: ColumnInfo, row: object): boolean {
  if ((row as AnyRow)[column.property] !== undefined) return false;
  (row as AnyRow)[column.property] = column.kind === 'bigint' ? 1n : 1;
  return true;
}

/** A version that a row must still have to be written. */
export interface HeldVersion {
  readonly column: ColumnInfo;
  readonly value: number | bigint;
}

/**
 * The version that a row was read with; undefined for a model without one.
 *
 * @throws FwError `FW_ORM_NO_VERSION` for a row that does not hold it, `FW_ORM_VALUE`
 */
export function heldVersion({ name, version }: ModelInfo, row: object, operation: string): HeldVersion | undefined {
  if (version === undefined) return undefined;
  const value = (row as AnyRow)[version.property];
  if (value === undefined || value === null)
    throw fwError(ORM_ERRORS.FW_ORM_NO_VERSION, { operation, model: name, field: version.property });
  return { column: version, value: version.checked(value) as number | bigint };
}

/** Notes in a row that it was written. */
export function countVersion({ column, value }: HeldVersion, row: object): void {
  (row as AnyRow)[column.property] = typeof value === 'bigint' ? value + 1n : value + 1;
}
