import type { ModelInfo } from '../core/index.js';
import { wantedIndexes } from './indexes.js';
import type { Comparison } from './compare-table.js';
import type { ActualForeignKey } from './introspect.js';

// Some databases create an index for a foreign key without one, and keep it when the key is dropped
// (https://dev.mysql.com/doc/refman/8.0/en/create-table-foreign-keys.html).

/** Whether a new foreign key gets such an index. */
export function getsIndex(
  { columns }: Pick<ActualForeignKey, 'columns'>,
  { model, indexes: { kept, create } }: Pick<Comparison, 'model' | 'indexes'>,
): boolean {
  const begins = (names: readonly string[]) => columns.every((name, at) => name === names[at]);
  return ![...kept, ...create].some((index) => begins(index.columns)) && !begins(keyOf(model));
}

/** Whether a dropped foreign key has such an index, and nothing else needs it. */
export function hasOwnIndex(
  { name, columns }: Pick<ActualForeignKey, 'name' | 'columns'>,
  { model, renamed, constraints, indexes: { kept } }: Pick<Comparison, 'model' | 'renamed' | 'constraints' | 'indexes'>,
): boolean {
  const isSame = (each: { readonly columns: readonly string[] }) => each.columns.join() === columns.join();
  const staying = renamed.foreignKeys.filter((key) => !constraints.dropKeys.includes(key));
  return (
    kept.some((index) => index.plain && index.name === name && isSame(index)) &&
    ![...wantedIndexes(model), ...constraints.addKeys, ...staying].some(isSame)
  );
}

const keyOf = ({ primaryKey }: ModelInfo): readonly string[] => primaryKey.map(({ name }) => name);
