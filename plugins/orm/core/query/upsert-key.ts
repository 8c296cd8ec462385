import { fwError, isFwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';

/**
 * The columns of the key that decides about an upsert, as far as it is named. A key that only the database has is refused too: MySQL and
 * SQL Server take any columns, and would insert the row a second time, or change several.
 *
 * @throws FwError `FW_ORM_UPSERT_KEY`, `FW_ORM_UNKNOWN_COLUMN`
 */
export function conflictKey(model: ModelInfo, conflict: string | readonly string[] = []): readonly ColumnInfo[] {
  const target = [conflict].flat().map((name) => model.column(name));
  const isTarget = (key: readonly ColumnInfo[]) => key.length === target.length && key.every((column) => target.includes(column)); // prettier-ignore
  if (target.length === 0 || model.uniqueKeys.some(isTarget)) return target;
  throw keyError(model, target, 'which the model declares no unique key of');
}

/** The error of an upsert: that of {@link conflictKey} where the database lacks a key that the model declares. */
export function upsertError(error: unknown, model: ModelInfo, target: readonly ColumnInfo[]): unknown {
  if (!isFwError(error) || error.details['lacksKey'] !== true) return error;
  return keyError(model, target, 'which the database has no unique key of, so that a migration is missing', error);
}

function keyError(model: ModelInfo, target: readonly ColumnInfo[], problem: string, cause?: unknown) {
  const [conflict, ...keys] = [target, ...model.uniqueKeys].map(inWords);
  const known = keys.length > 0 ? keys.join(', ') : 'none';
  return fwError(ORM_ERRORS.FW_ORM_UPSERT_KEY, { model: model.name, conflict, problem, keys: known }, { cause });
}

const inWords = (key: readonly ColumnInfo[]): string => `(${key.map(({ property }) => property).join(', ')})`;
