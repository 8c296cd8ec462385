import type { ColumnInfo, Dialect, ModelInfo } from '../core/index.js';
import { differs, stateOf, wantedState, type ColumnChange } from './column-states.js';
import { constraintChanges, type ConstraintChanges, type Links } from './constraint-changes.js';
import { indexChanges, type IndexChanges } from './indexes.js';
import { isComputedAnew } from './computed-columns.js';
import type { ActualCheck, ActualColumn, ActualTable } from './introspect.js';
import { hasOtherKey, keyChange, type KeyChange } from './key-change.js';
import { withNewNames, type NewNames } from './key-steps.js';
import { enumChange, type EnumChange } from './native-enums.js';
import type { TakenNames } from './names.js';
import type { ColumnPairs } from './rebuild-table.js';
import type { FormerNames } from './renames.js';
import { keepsTables } from './create-table.js';
import type { AddedValueCheck } from './value-check-changes.js';

/** A model, its table, and the differences between them. */
export interface Comparison {
  readonly model: ModelInfo;
  readonly table: ActualTable;
  /** The table with the column names of the model. */
  readonly renamed: ActualTable;
  readonly pairs: ColumnPairs;
  readonly changed: readonly ColumnChange[];
  readonly added: readonly ColumnInfo[];
  readonly dropped: readonly ActualColumn[];
  /** Columns whose computation is new or different. */
  readonly recomputed: ColumnPairs;
  readonly constraints: ConstraintChanges;
  readonly valueChecks: AddedValueChecks;
  readonly enums: readonly (EnumChange & { readonly default: string | null })[];
  readonly indexes: IndexChanges;
  /** Undefined when the primary key stays. */
  readonly key: KeyChange | undefined;
  /** Descriptions of the parts of the table that no model can declare. */
  readonly aside: readonly string[];
  /** Columns whose numbering should begin or end, which the database cannot change. */
  readonly misnumbered: readonly ColumnInfo[];
}

/** Wanted checks of values, by the way in which they are added. */
interface AddedValueChecks {
  /** Checks of existing columns. */
  readonly added: readonly AddedValueCheck[];
  /** Checks of new columns. */
  readonly withColumns: readonly AddedValueCheck[];
  /** Checks left out because they alone would require a rebuild of the table. */
  readonly unasked: readonly AddedValueCheck[];
}

/** The rest of the schema around the compared tables. */
export interface Surroundings {
  readonly dialect: Dialect;
  readonly links: Links;
  /** Tables that are about to be dropped. */
  readonly unwanted: readonly ActualTable[];
  /** Tables that are there. */
  readonly tables: readonly ActualTable[];
  /** Descriptions, by table, of parts that no model can declare because of their name; and the tables whose primary key is such a part. */
  readonly partsAside: ReadonlyMap<string, readonly string[]>;
  readonly keysAside: ReadonlySet<string>;
  /** Names that indexes and foreign keys use already. */
  readonly taken: TakenNames;
  readonly names: NewNames;
  /** Former names that are given outside of the models. */
  readonly former: FormerNames;
}

/** Compares a model with its table. */
export function compareTable(model: ModelInfo, table: ActualTable, around: Surroundings): Comparison {
  const { dialect, links, unwanted, taken } = around;
  const pairs = pairsOf(model, table, around.former);
  const renamed = tableWithNewNames(table, around.names);
  const added = model.columns.filter((column) => !pairs.has(column));
  const dropped = table.columns.filter((column) => ![...pairs.values()].includes(column));
  const gone = { tables: unwanted.map(({ name }) => name), columns: dropped.map(({ name }) => name) };
  const constraints = constraintChanges(
    model,
    renamed,
    links,
    gone,
    around.names.get(table.name) ?? new Map(),
    dialect,
  );
  for (const { name } of [...constraints.dropKeys, ...constraints.dropChecks]) taken.release(name);
  const recomputed = new Map([...pairs].filter(([column, actual]) => isComputedAnew(column, actual, dialect)));
  const compared = new Map([...pairs].filter(([column]) => !recomputed.has(column)));
  const found = [...compared].flatMap(([column, actual]) => enumChange(column, actual, around.tables, dialect) ?? []);
  const said = changesOf(compared, renamed, constraints.dropChecks, found, dialect);
  const enums = found.map((change) => ({ ...change, default: said.find(isOf(change))?.to.default ?? null }));
  const changes = said.map((change) => (enums.find(isOf(change))?.is === 'replaced' ? withNewDefault(change) : change));
  const hasKey = !around.keysAside.has(table.name);
  const fixed = dialect.schema.numbersFromStart ? changes.filter(isRenumbered) : [];
  return {
    model,
    table,
    renamed,
    pairs,
    changed: changes.map((change) => (fixed.includes(change) ? numberedAsBefore(change) : change)).filter(differs),
    added,
    dropped,
    recomputed,
    constraints,
    valueChecks: addedValueChecks(constraints.valueChecks.added, added, dialect),
    enums,
    indexes: indexChanges(model, renamed, gone.columns, taken),
    aside: around.partsAside.get(table.name) ?? [],
    key: hasKey && hasOtherKey(model, renamed) ? keyChange(model, renamed, { added, dropped }, dialect) : undefined,
    misnumbered: fixed.map(({ column }) => column),
  };
}

function addedValueChecks(
  checks: readonly AddedValueCheck[],
  columns: readonly ColumnInfo[],
  dialect: Dialect,
): AddedValueChecks {
  const isNew = ({ column }: AddedValueCheck) => columns.includes(column);
  const isUnasked = ({ column, replaces }: AddedValueCheck) =>
    keepsTables(dialect) && !replaces && column.definition.enumAs !== 'check';
  const present = checks.filter((check) => !isNew(check));
  return {
    added: present.filter((check) => !isUnasked(check)),
    withColumns: checks.filter(isNew),
    unasked: present.filter(isUnasked),
  };
}

// Skips what the database computes itself.
function changesOf(
  pairs: ColumnPairs,
  { checks }: ActualTable,
  without: readonly ActualCheck[],
  enums: readonly EnumChange[],
  dialect: Dialect,
): readonly ColumnChange[] {
  return [...pairs]
    .filter(([, { computed }]) => !computed)
    .map(([column, actual]) => {
      const own = checks.find(({ name, ofColumn }) => ofColumn && name === column.name);
      const check = own && without.includes(own) ? undefined : own?.sql;
      return {
        column,
        actual,
        from: { ...stateOf(actual), check: own?.sql },
        to: {
          ...wantedState(
            column,
            actual,
            dialect,
            enums.find((each) => each.column === column),
          ),
          check,
        },
      };
    });
}

const isOf =
  ({ column }: { readonly column: ColumnInfo }) =>
  (other: { readonly column: ColumnInfo }): boolean =>
    other.column === column;

// A replaced type needs its default set again: the former default may be a removed value.
const withNewDefault = ({ from, to, ...change }: ColumnChange): ColumnChange => {
  return { ...change, from: { ...from, default: to.default }, to };
};

const isRenumbered = ({ from, to }: ColumnChange): boolean => from.autoincrement !== to.autoincrement;

const numberedAsBefore = ({ from, to, ...change }: ColumnChange): ColumnChange => {
  return { ...change, from, to: { ...to, autoincrement: from.autoincrement, default: from.default } };
};

function pairsOf(model: ModelInfo, table: ActualTable, former: FormerNames): ColumnPairs {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const pairs = new Map<ColumnInfo, ActualColumn>();
  for (const column of model.columns) {
    const { rename = former.get(column) ?? '' } = column.definition;
    const taken = model.columns.some(({ name }) => name === rename);
    const found = byName.get(column.name) ?? (taken ? undefined : byName.get(rename));
    if (found) pairs.set(column, found);
  }
  return pairs;
}

/** Names of the columns in the model, by their names in the table. */
export function newNames(model: ModelInfo, table: ActualTable, former: FormerNames): ReadonlyMap<string, string> {
  return new Map([...pairsOf(model, table, former)].map(([column, { name }]) => [name, column.name]));
}

// Renames columns in constraints and indexes, too.
function tableWithNewNames(table: ActualTable, names: NewNames): ActualTable {
  const own = (name: string) => names.get(table.name)?.get(name) ?? name;
  return {
    ...table,
    primaryKey: table.primaryKey.map(own),
    foreignKeys: table.foreignKeys.map((key) => withNewNames(table.name, key, names)),
    indexes: table.indexes.map((index) => ({ ...index, columns: index.columns.map(own) })),
    checks: table.checks.map((check) => withNewName(check, own(check.name))),
  };
}

// A check that is part of a column has the column's name, and quotes it in backticks.
function withNewName(check: ActualCheck, name: string): ActualCheck {
  if (!check.ofColumn || name === check.name) return check;
  return { ...check, name, sql: check.sql.replaceAll(`\`${check.name}\``, `\`${name}\``) };
}
