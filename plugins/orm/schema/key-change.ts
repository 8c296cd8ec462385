import type { ColumnInfo, ColumnState, Dialect, ModelInfo } from '../core/index.js';
import type { ColumnChange } from './column-states.js';
import { stateOf } from './column-states.js';
import { primaryKeyName } from './constraints.js';
import { counts, newState } from './create-table.js';
import type { ActualColumn, ActualTable } from './introspect.js';

/** A replacement of the primary key. */
export interface KeyChange {
  readonly up: readonly string[];
  readonly down: readonly string[];
  readonly warning: string;
  /** Numbered columns, which are added and dropped together with the key that they need. */
  readonly added: readonly ColumnInfo[];
  readonly dropped: readonly ActualColumn[];
}

/** Columns of a table without a column in the model, and the reverse. */
interface LooseColumns {
  readonly added: readonly ColumnInfo[];
  readonly dropped: readonly ActualColumn[];
}

/**
 * Whether the primary keys of a table and its model differ. Ignores the order of the key's columns: a model lists them in the order of all
 * columns.
 *
 * @param table - with the names that the model has for its columns
 */
export function hasOtherKey(model: ModelInfo, table: Pick<ActualTable, 'primaryKey'>): boolean {
  const sorted = (names: readonly string[]) => [...names].sort().join();
  return sorted(model.primaryKey.map(({ name }) => name)) !== sorted(table.primaryKey);
}

/** The statements that change a primary key, if ALTER TABLE can do it. */
export function keyChange(model: ModelInfo, table: ActualTable, loose: LooseColumns, dialect: Dialect): KeyChange {
  const wanted = model.primaryKey.map(({ name }) => name);
  const added = loose.added.filter((column) => model.primaryKey.includes(column) && counts(column, dialect));
  const dropped = loose.dropped.filter(({ name, autoincrement }) => autoincrement && table.primaryKey.includes(name));
  const name = table.primaryKeyName ?? primaryKeyName(model.table);
  const clauses = table.primaryKeyClauses;
  const before = {
    key: table.primaryKey,
    clauses,
    columns: dropped.map((column) => [column.name, stateOf(column)] as const),
  };
  const after = { key: wanted, columns: added.map((column) => [column.name, newState(column, dialect)] as const) };
  const change = (from: KeySide, to: KeySide) => keyStatements(model.table, name, from, to, dialect);
  const shown = (names: readonly string[]) => (names.length === 0 ? 'none' : `(${names.join(', ')})`);
  return {
    up: change(before, after),
    down: change(after, before),
    warning: `the primary key of ${model.table} changes from ${shown(table.primaryKey)} to ${shown(wanted)}; check that no two rows are alike in it, and what refers to the old one${clauses === undefined ? '' : `; the old one says ${clauses}, the new one does not`}`,
    added,
    dropped,
  };
}

/**
 * State of a column between the old and the new primary key: numbered only if it is numbered before and after, and not null if it is in
 * either key.
 */
export function amidKeyChange({ from, to }: ColumnChange, wasKey: boolean): ColumnState {
  const autoincrement = from.autoincrement && to.autoincrement;
  return {
    ...to,
    autoincrement,
    nullable: wasKey ? from.nullable : to.nullable,
    default: to.autoincrement && !autoincrement ? null : to.default,
  };
}

interface KeySide {
  readonly key: readonly string[];
  /** What else the key says. */
  readonly clauses?: string | undefined;
  /** Columns that exist only on this side. */
  readonly columns: readonly (readonly [name: string, state: ColumnState])[];
}

function keyStatements(table: string, name: string, from: KeySide, to: KeySide, dialect: Dialect): readonly string[] {
  const { compiler, schema } = dialect;
  const clauses = schema.primaryKey;
  if (clauses === undefined) return [];
  const quote = (each: string) => compiler.quote(each);
  const said = to.clauses === undefined ? '' : ` ${to.clauses}`;
  const written = [
    ...(from.key.length === 0 ? [] : [clauses.drop(quote(name))]),
    ...from.columns.map(([column]) => `DROP COLUMN ${quote(column)}`),
    ...to.columns.map(([column, state]) => `${schema.addColumn} ${quote(column)} ${schema.columnText(state)}`),
    ...(to.key.length === 0 ? [] : [clauses.add(quote(name), to.key.map(quote).join(', ')) + said]),
  ];
  const steps = clauses.together && written.length > 0 ? [written.join(', ')] : written;
  return steps.map((step) => `ALTER TABLE ${quote(table)} ${step}`);
}
