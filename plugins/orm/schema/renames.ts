import { fwError } from '../../../kernel/index.js';
import type { ColumnInfo, ModelInfo } from '../core/index.js';
import { MIGRATION_ERRORS } from '../migrations/errors.js';
import type { ActualTable } from './introspect.js';

/** A renamed column, as a person declares it. */
export interface ColumnRename {
  /** Its table; may be left out if only one table fits. */
  readonly table?: string;
  readonly from: string;
  readonly to: string;
}

/** Former names of columns that are given outside of the models. */
export type FormerNames = ReadonlyMap<ColumnInfo, string>;

/**
 * Finds the renamed columns.
 *
 * @throws FwError `FW_MIGRATE_RENAME` for one that is not there, or may be several
 */
export function formerNames(
  renames: readonly ColumnRename[],
  models: readonly ModelInfo[],
  tables: readonly ActualTable[],
): FormerNames {
  const found = new Map<ColumnInfo, string>();
  for (const rename of renames) {
    const fitting = models.flatMap((model) => continued(rename, model, tables));
    const [column] = fitting;
    if (column === undefined || fitting.length > 1)
      throw fwError(MIGRATION_ERRORS.FW_MIGRATE_RENAME, {
        rename: textOf(rename),
        problem:
          column === undefined
            ? `no table has a column ${rename.from} that its model has not, and a model with a column ${rename.to} that it has not`
            : `it fits ${fitting.map(({ model }) => model.table).join(' and ')}; say which by <table>.${rename.from}=${rename.to}`,
      });
    found.set(column, rename.from);
  }
  return found;
}

function continued({ table, from, to }: ColumnRename, model: ModelInfo, tables: readonly ActualTable[]) {
  if (table !== undefined && table !== model.table) return [];
  const actual = tables.find(({ name }) => name === model.table)?.columns.map(({ name }) => name) ?? [];
  const wanted = model.columns.map(({ name }) => name);
  if (!actual.includes(from) || wanted.includes(from) || actual.includes(to)) return [];
  return model.columns.filter(({ name }) => name === to);
}

const textOf = ({ table, from, to }: ColumnRename): string => `${table === undefined ? '' : `${table}.`}${from}=${to}`;
