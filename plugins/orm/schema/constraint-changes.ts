import { relationOf, type Dialect, type ModelInfo } from '../core/index.js';
import {
  checksOf,
  foreignKeyWishes,
  sameActions,
  sameSql,
  type WantedCheck,
  type WantedForeignKey,
} from './constraints.js';
import type { ActualCheck, ActualForeignKey, ActualTable } from './introspect.js';
import { valueCheckChanges, type ValueCheckChanges } from './value-check-changes.js';

/** Changes to the constraints of a table. A changed constraint is dropped and added. */
export interface ConstraintChanges {
  readonly dropKeys: readonly ActualForeignKey[];
  readonly addKeys: readonly WantedForeignKey[];
  /** Foreign keys that the model does not mention. */
  readonly keptKeys: readonly ActualForeignKey[];
  readonly dropChecks: readonly ActualCheck[];
  readonly addChecks: readonly WantedCheck[];
  readonly valueChecks: ValueCheckChanges;
}

/**
 * Compares the foreign keys and checks of a model with those of its table.
 *
 * @param gone - tables that are about to be dropped, and columns of this one
 * @param names - new names of columns, by their present names
 */
export function constraintChanges(
  model: ModelInfo,
  { foreignKeys, checks }: Pick<ActualTable, 'foreignKeys' | 'checks'>,
  models: readonly ModelInfo[],
  gone: { readonly tables: readonly string[]; readonly columns: readonly string[] },
  names: ReadonlyMap<string, string>,
  dialect: Dialect,
): ConstraintChanges {
  const wishes = foreignKeyWishes(model);
  const known = new Set(models.map(({ table }) => table));
  const loaded = loadedThrough(model, models);
  const dropKeys = foreignKeys.filter((actual) => {
    if (gone.tables.includes(actual.table) || actual.columns.some((name) => gone.columns.includes(name))) return true;
    const wish = wishes.find(({ key }) => pointsAlike(key, actual));
    if (wish) return wish.wanted === false || (wish.wanted === true && !sameActions(wish.key, actual));
    // A foreign key to a table without a model, or one that a relation of another model uses, stays.
    return known.has(actual.table) && !loaded.has(actual.columns.join());
  });
  const addKeys = wishes.flatMap(({ key, wanted }) => {
    const present = foreignKeys.some((actual) => pointsAlike(key, actual) && sameActions(key, actual));
    return wanted === true && !present ? [key] : [];
  });
  const wantedChecks = checksOf(model);
  const isPresent = (wanted: WantedCheck, actual: ActualCheck) =>
    actual.name === wanted.name ||
    ((actual.name === wanted.key || actual.name === '') && sameSql(actual.sql, wanted.sql));
  const keptKeys = foreignKeys.filter((actual) => {
    const wish = wishes.find(({ key }) => pointsAlike(key, actual));
    return wish?.wanted === undefined && !dropKeys.includes(actual);
  });
  const own = checks.filter((actual) => wantedChecks.some((wanted) => isPresent(wanted, actual)));
  const valueChecks = valueCheckChanges(model, { checks, names, kept: own }, dialect);
  return {
    dropKeys,
    addKeys,
    keptKeys,
    dropChecks: checks.filter((actual) => !own.includes(actual) && !valueChecks.present.includes(actual)),
    addChecks: wantedChecks.filter((wanted) => !checks.some((actual) => isPresent(wanted, actual))),
    valueChecks,
  };
}

function pointsAlike(one: Pointer, other: Pointer): boolean {
  return (
    one.table === other.table &&
    one.columns.join() === other.columns.join() &&
    one.references.join() === other.references.join()
  );
}

type Pointer = Pick<WantedForeignKey, 'columns' | 'table' | 'references'>;

// Columns of a model that relations of other models use.
function loadedThrough(model: ModelInfo, models: readonly ModelInfo[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const other of models) {
    for (const { property, kind } of other.relations.values()) {
      if (kind === 'belongsTo') continue;
      const { target, remote, through } = relationOf(other, property);
      if (through?.table === model.table) found.add(through.fk).add(through.refFk);
      else if (!through && target.table === model.table) found.add(remote.map(({ name }) => name).join());
    }
  }
  return found;
}
