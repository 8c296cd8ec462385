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

/** The tables that models have, and the columns of each that relations of any model lead through. */
export type Links = ReadonlyMap<string, ReadonlySet<string>>;

/** Follows the relations of all models once, because a database may have hundreds of them. */
export function linksAmong(models: readonly ModelInfo[]): Links {
  const links = new Map<string, Set<string>>(models.map(({ table }) => [table, new Set()]));
  for (const model of models) {
    for (const { property, kind } of model.relations.values()) {
      if (kind === 'belongsTo') continue;
      const { target, remote, through } = relationOf(model, property);
      if (through) links.get(through.table)?.add(through.fk).add(through.refFk);
      else links.get(target.table)?.add(remote.map(({ name }) => name).join());
    }
  }
  return links;
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
  links: Links,
  gone: { readonly tables: readonly string[]; readonly columns: readonly string[] },
  names: ReadonlyMap<string, string>,
  dialect: Dialect,
): ConstraintChanges {
  const wishes = foreignKeyWishes(model);
  // Of two keys with the same columns, each has the relation that says its actions.
  const wishOf = (actual: ActualForeignKey) => {
    const alike = wishes.filter(({ key }) => pointsAlike(key, actual));
    return alike.find(({ key }) => sameActions(key, actual)) ?? alike[0];
  };
  const dropKeys = foreignKeys.filter((actual) => {
    if (gone.tables.includes(actual.table) || actual.columns.some((name) => gone.columns.includes(name))) return true;
    const wish = wishOf(actual);
    if (wish) return wish.wanted === false || (wish.wanted === true && !sameActions(wish.key, actual));
    // A foreign key to a table without a model, or one that a relation of another model uses, stays.
    return links.has(actual.table) && !links.get(model.table)?.has(actual.columns.join());
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
    const wish = wishOf(actual);
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
