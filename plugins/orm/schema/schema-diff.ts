import {
  modelInfosOf,
  type ColumnInfo,
  type ColumnState,
  type Dialect,
  type ModelClass,
  type ModelInfo,
} from '../core/index.js';
import { constraintChanges } from './constraint-changes.js';
import { byForeignKeys, checkClause, foreignKeysOf, namesColumn } from './constraints.js';
import { columnLine, createTable, defaultName, defaultOf, keepsTables } from './create-table.js';
import { defaultMeaning, sameDefault } from './default-text.js';
import { declarable, inQuotes } from './declarable.js';
import { holdersOf } from './held-columns.js';
import { createIndex, dropIndex, indexChanges, restoreIndex, type IndexChanges } from './indexes.js';
import type { ActualColumn, ActualForeignKey, ActualIndex, ActualTable } from './introspect.js';
import { KeySteps } from './key-steps.js';
import { rebuildTable, type ColumnPairs, type RebuildInput } from './rebuild-table.js';

/** Statements that bring a schema to what the models say, and back. */
export interface SchemaDiff {
  readonly up: readonly string[];
  readonly down: readonly string[];
  /** What a person should look at before it runs: lost data, guesses. */
  readonly warnings: readonly string[];
}

/** Options of {@link diffSchema}. */
export interface DiffOptions {
  /** Tables that no model has are dropped too. Default false: they may belong to somebody else. */
  readonly dropTables?: boolean;
  /** Tables that are never touched, such as the version table. */
  readonly ignore?: readonly string[];
}

/**
 * Compares models with the tables that are there: columns with type, null and default, indexes, foreign keys and checks. What
 * no model can declare because of its name stays as it is.
 * Statements that build a SQLite table anew stand between two that switch foreign keys off and on. In a transaction these have
 * no effect; the runner of migrations sees them and switches outside.
 *
 * @param given - models: classes, or what {@link registeredModels} gives
 */
export function diffSchema(
  given: readonly (ModelClass | ModelInfo)[],
  actual: readonly ActualTable[],
  dialect: Dialect,
  options: DiffOptions = {},
): SchemaDiff {
  const models = modelInfosOf(given);
  const { tables, tablesAside, partsAside } = declarable(actual);
  const difference = new Difference(dialect, models, tables, partsAside);
  const present = new Map(tables.map((table) => [table.name, table]));
  for (const model of byForeignKeys(models)) {
    const table = present.get(model.table);
    if (table) difference.table(model, table);
    else difference.newTable(model);
  }
  const wanted = new Set([...models.map(({ table }) => table), ...(options.ignore ?? [])]);
  if (options.dropTables) {
    for (const table of tables) if (!wanted.has(table.name)) difference.droppedTable(table);
    for (const name of tablesAside) difference.keptTable(name);
  }
  return difference.result();
}

class Difference {
  readonly #up: string[] = [];
  readonly #down: string[] = [];
  readonly #warnings: string[] = [];
  readonly #keys: KeySteps;
  readonly #names = new Map<string, ReadonlyMap<string, string>>();
  #rebuilds = false;

  constructor(
    private readonly dialect: Dialect,
    private readonly models: readonly ModelInfo[],
    private readonly actual: readonly ActualTable[],
    private readonly partsAside: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#keys = new KeySteps(dialect);
  }

  result(): SchemaDiff {
    const { up, down } = this.#keys.around(this.#up, this.#down, this.#names);
    return { up: this.#withoutKeys(up), down: this.#withoutKeys(down), warnings: this.#warnings };
  }

  newTable(model: ModelInfo): void {
    this.#up.push(...createTable(model, this.dialect));
    this.#undo(`DROP TABLE ${this.#quote(model.table)}`);
    if (keepsTables(this.dialect)) return;
    for (const key of foreignKeysOf(model)) this.#keys.add(model.table, key);
  }

  droppedTable(table: ActualTable): void {
    this.#warnings.push(`the table ${table.name} is dropped with its rows; no model has it`);
    this.#up.push(`DROP TABLE ${this.#quote(table.name)}`);
    // While foreign keys hold, SQLite deletes the rows first, and with them those that refer to them
    // (https://sqlite.org/foreignkeys.html, section 5).
    if (this.dialect.schema.withoutForeignKeys) this.#rebuilds = true;
    if (table.definitions.length > 0) this.#undo(...table.definitions.map(({ sql }) => sql));
    else this.#undo(`-- the table ${table.name} is gone: write here how to make it again`);
  }

  keptTable(name: string): void {
    this.#warnings.push(`the table ${inQuotes(name)} is not dropped, because of its name; drop it by hand`);
  }

  table(model: ModelInfo, table: ActualTable): void {
    const pairs = pairsOf(model, table);
    const dropped = table.columns.filter((column) => ![...pairs.values()].includes(column));
    const changed = [...pairs].filter(([column, actual]) => this.#differs(column, actual));
    const names = newNames(pairs);
    this.#names.set(table.name, names);
    const renamed = withNewNames(table, names);
    const changes = constraintChanges(model, renamed, this.models);
    const indexes = indexChanges(
      model,
      renamed,
      dropped.map(({ name }) => name),
    );
    for (const [column, actual] of changed) this.#noteChange(column, actual);
    for (const { columns, table: target } of changes.dropKeys)
      this.#warnings.push(`${model.table} (${columns.join(', ')}) no longer refers to ${target} as it did`);
    for (const { name, sql } of changes.dropChecks)
      this.#warnings.push(`the check ${name || `(${sql})`} of ${model.table} is dropped`);
    this.#noteIndexes(model, indexes);
    const anew =
      changed.length > 0 ||
      [changes.dropKeys, changes.addKeys, changes.dropChecks, changes.addChecks].some(({ length }) => length > 0) ||
      indexes.drop.some(({ constraint }) => constraint) ||
      dropped.some((column) => column.computed || isHeld(column, table)) ||
      model.columns.some((column) => !pairs.has(column) && this.#cannotBeAdded(column));
    if (keepsTables(this.dialect) && anew)
      return this.#rebuild({
        model,
        table,
        pairs,
        keptKeys: changes.keptKeys,
        indexes,
        aside: this.partsAside.get(table.name) ?? [],
      });
    // Before the columns take other names, which the conditions do not know.
    for (const check of changes.dropChecks) this.#check(model, check, 'dropped');
    this.#renames(model, pairs);
    for (const { name } of changes.dropKeys)
      this.#keys.remove(model.table, table.foreignKeys.find((key) => key.name === name) as ActualForeignKey);
    for (const index of indexes.drop) this.#dropIndex(model, index, table);
    for (const column of model.columns) if (!pairs.has(column)) this.#addColumn(column);
    this.#changeColumns(changed, {
      ...renamed,
      indexes: indexes.kept,
      checks: table.checks.filter((check) => !changes.dropChecks.includes(check)),
      primaryKey: table.primaryKey.map((name) => names.get(name) ?? name),
    });
    for (const index of indexes.create) {
      this.#up.push(createIndex(model.table, index, this.dialect));
      this.#undo(this.dialect.schema.dropIndex(this.#quote(model.table), this.#quote(index.name)));
    }
    for (const column of dropped) this.#dropColumn(model, column);
    for (const check of changes.addChecks) this.#check(model, check, 'added');
    for (const key of changes.addKeys) this.#keys.add(model.table, key);
  }

  #renames(model: ModelInfo, pairs: ColumnPairs): void {
    for (const [{ name }, before] of pairs) {
      if (before.name === name) continue;
      const table = this.#quote(model.table);
      const rename = (from: string, to: string) =>
        this.dialect.schema.addColumn === 'ADD'
          ? `EXEC sp_rename '${model.table}.${from}', '${to}', 'COLUMN'`
          : `ALTER TABLE ${table} RENAME COLUMN ${this.#quote(from)} TO ${this.#quote(to)}`;
      this.#up.push(rename(before.name, name));
      this.#undo(rename(name, before.name));
    }
  }

  #addColumn(column: ColumnInfo): void {
    const table = this.#quote(column.model.table);
    const { schema } = this.dialect;
    this.#noteNewColumn(column);
    this.#up.push(`ALTER TABLE ${table} ${schema.addColumn} ${columnLine(column, this.dialect)}`);
    const named = column.definition.default !== undefined && schema.dropDefault;
    this.#undo(
      ...(named ? [named(table, this.#quote(defaultName(column)))] : []),
      `ALTER TABLE ${table} DROP COLUMN ${this.#quote(column.name)}`,
    );
  }

  #noteNewColumn(column: ColumnInfo): void {
    if (column.nullable || column.definition.default !== undefined) return;
    this.#warnings.push(
      `${column.model.table}.${column.name} is new, not null and without a default: this fails when the table has rows`,
    );
  }

  // https://sqlite.org/lang_altertable.html#alter_table_add_column
  #cannotBeAdded(column: ColumnInfo): boolean {
    const fallback = defaultOf(column, this.dialect);
    return fallback === null ? !column.nullable : fallback.startsWith('(');
  }

  #dropColumn(model: ModelInfo, column: ActualColumn): void {
    const table = this.#quote(model.table);
    const { schema } = this.dialect;
    this.#warnings.push(`${model.table}.${column.name} is dropped with its values; the model has no such column`);
    const named = column.defaultName !== undefined && schema.dropDefault;
    if (named) this.#up.push(named(table, this.#quote(column.defaultName)));
    this.#up.push(`ALTER TABLE ${table} DROP COLUMN ${this.#quote(column.name)}`);
    const name = column.defaultName === undefined ? '' : ` CONSTRAINT ${this.#quote(column.defaultName)}`;
    const fallback = column.default === null ? '' : `${name} DEFAULT ${column.default}`;
    this.#undo(`ALTER TABLE ${table} ${schema.addColumn} ${this.#quote(column.name)} ${column.type}${fallback}`);
  }

  #changeColumns(changed: readonly (readonly [ColumnInfo, ActualColumn])[], table: ActualTable): void {
    const retyped = changed.filter((pair) => this.#isRetyped(...pair)).map(([{ name }]) => name);
    const { drop, restore, warnings } = holdersOf(retyped, table, this.dialect);
    this.#warnings.push(...warnings);
    this.#up.push(...drop);
    this.#undo(...restore);
    for (const [column, actual] of changed) this.#changeColumn(column, actual);
    this.#up.push(...restore);
    this.#undo(...drop);
  }

  // To another type, or to null or not null.
  #isRetyped(column: ColumnInfo, actual: ActualColumn): boolean {
    const [from, to] = [stateOf(actual), this.#wantedState(column, actual)];
    return from.type !== to.type || from.nullable !== to.nullable;
  }

  #changeColumn(column: ColumnInfo, actual: ActualColumn): void {
    const [table, name] = [this.#quote(column.model.table), this.#quote(column.name)];
    const [from, to] = [stateOf(actual), this.#wantedState(column, actual)];
    if (this.#isRetyped(column, actual))
      this.#lift(column.model.table, from.type !== to.type, (names) => names.includes(actual.name));
    this.#up.push(...(this.dialect.schema.alterColumn?.(table, name, from, to) ?? []));
    this.#undo(...(this.dialect.schema.alterColumn?.(table, name, to, from) ?? []));
  }

  // What is the same in other words stays in the words of the database, so that only what differs is changed.
  #wantedState(column: ColumnInfo, actual: ActualColumn): ColumnState {
    const present = stateOf(actual);
    const fallback = defaultOf(column, this.dialect);
    return {
      type: this.#sameType(column, actual) ? actual.type : this.dialect.schema.columnType(column),
      nullable: column.primaryKey ? actual.nullable : column.nullable,
      default: this.#sameDefault(column, actual) ? present.default : fallback,
      defaultName: defaultName(column),
    };
  }

  #rebuild(input: RebuildInput): void {
    this.#rebuilds = true;
    for (const column of input.model.columns) if (!input.pairs.has(column)) this.#noteNewColumn(column);
    const { up, down, warnings } = rebuildTable(input, this.dialect);
    this.#warnings.push(...warnings);
    this.#up.push(...up);
    this.#undo(...down);
  }

  #withoutKeys(statements: readonly string[]): readonly string[] {
    return this.#rebuilds ? ['PRAGMA foreign_keys = OFF', ...statements, 'PRAGMA foreign_keys = ON'] : statements;
  }

  #noteChange(column: ColumnInfo, actual: ActualColumn): void {
    const [from, to] = [stateOf(actual), this.#wantedState(column, actual)];
    if (!this.#isRetyped(column, actual)) return;
    const [present, wanted] = [from, to].map(({ type, nullable }) => `${type}${nullable ? '' : ' not null'}`);
    const change = this.dialect.schema.changeOfValues?.(from.type, to.type) ?? 'check that its values fit';
    this.#warnings.push(`${column.model.table}.${column.name} changes from ${present} to ${wanted}; ${change}`);
  }

  #check({ table }: ModelInfo, check: { readonly name: string; readonly sql: string }, is: 'added' | 'dropped'): void {
    const own = this.#quote(table);
    const add = `ALTER TABLE ${own} ADD ${checkClause(check, this.dialect)}`;
    const drop = this.dialect.schema.dropConstraint(own, this.#quote(check.name));
    this.#up.push(is === 'added' ? add : drop);
    this.#undo(is === 'added' ? drop : add);
  }

  #dropIndex({ table }: ModelInfo, index: ActualIndex, { indexes }: ActualTable): void {
    const former = indexes.find(({ name }) => name === index.name)?.columns ?? [];
    this.#lift(table, false, (names) => names.every((name, at) => name === former[at]));
    this.#up.push(dropIndex(table, index, this.dialect));
    this.#undo(restoreIndex(table, index, this.dialect));
  }

  // A foreign key holds the columns and indexes at both of its ends.
  #lift(table: string, retyped: boolean, holds: (columns: readonly string[]) => boolean): void {
    const { keysHold } = this.dialect.schema;
    if (keysHold === undefined || (keysHold === 'types' && !retyped)) return;
    for (const { name, foreignKeys } of this.actual)
      for (const key of foreignKeys)
        if ((name === table && holds(key.columns)) || (key.table === table && holds(key.references)))
          this.#keys.lift(name, key);
  }

  #noteIndexes({ table, name: model, columns }: ModelInfo, { drop, create, unknown }: IndexChanges): void {
    for (const index of drop) {
      const shown = `the ${index.unique ? 'unique ' : ''}index ${index.name} of ${table} (${index.columns.join(', ')})`;
      const isCut = index.columns.some((name) => !columns.some((column) => column.name === name));
      if (isCut && (index.columns.length > 1 || !index.plain))
        this.#warnings.push(`${shown} is dropped; a column of it is gone`);
      else if (
        index.unique &&
        !isCut &&
        !create.some((each) => each.unique && each.columns.join() === index.columns.join())
      )
        this.#warnings.push(`${shown} is dropped; rows may have the same values then`);
    }
    for (const { name, columns: held } of unknown)
      this.#warnings.push(`the index ${name} of ${table} (${held.join(', ')}) is not in ${model}; it stays as it is`);
  }

  #differs(column: ColumnInfo, actual: ActualColumn): boolean {
    if (column.autoincrement || actual.computed) return false;
    const nullability = column.nullable !== actual.nullable && !column.primaryKey;
    return nullability || !this.#sameType(column, actual) || !this.#sameDefault(column, actual);
  }

  #sameType(column: ColumnInfo, actual: ActualColumn): boolean {
    const { introspection, columnType } = this.dialect.schema;
    return introspection.normalizeType(columnType(column)) === introspection.normalizeType(actual.type);
  }

  // The default of what the database generates is its own business.
  #sameDefault(column: ColumnInfo, actual: ActualColumn): boolean {
    return column.generated || sameDefault(defaultOf(column, this.dialect), actual.default, column.kind);
  }

  // Undone in the opposite order.
  #undo(...statements: readonly string[]): void {
    this.#down.unshift(...statements);
  }

  #quote(name: string): string {
    return this.dialect.compiler.quote(name);
  }
}

function stateOf({ type, nullable, default: fallback, defaultName: name }: ActualColumn): ColumnState {
  return { type, nullable, default: defaultMeaning(fallback).is === 'none' ? null : fallback, defaultName: name };
}

function pairsOf(model: ModelInfo, table: ActualTable): ColumnPairs {
  const byName = new Map(table.columns.map((column) => [column.name, column]));
  const pairs = new Map<ColumnInfo, ActualColumn>();
  for (const column of model.columns) {
    const { rename = '' } = column.definition;
    const taken = model.columns.some(({ name }) => name === rename);
    const found = byName.get(column.name) ?? (taken ? undefined : byName.get(rename));
    if (found) pairs.set(column, found);
  }
  return pairs;
}

// Names of renamed columns, by those that they had.
const newNames = (pairs: ColumnPairs): ReadonlyMap<string, string> =>
  new Map([...pairs].map(([column, { name }]) => [name, column.name]));

// A renamed column has its new name in the constraints and indexes, too.
function withNewNames(table: ActualTable, names: ReadonlyMap<string, string>): ActualTable {
  const renamed = <Part extends { readonly columns: readonly string[] }>(part: Part): Part => {
    return { ...part, columns: part.columns.map((name) => names.get(name) ?? name) };
  };
  return { ...table, foreignKeys: table.foreignKeys.map(renamed), indexes: table.indexes.map(renamed) };
}

// https://sqlite.org/lang_altertable.html#alter_table_drop_column
function isHeld({ name }: ActualColumn, table: ActualTable): boolean {
  return (
    table.primaryKey.includes(name) ||
    [...table.indexes, ...table.foreignKeys].some(({ columns }) => columns.includes(name)) ||
    table.checks.some(({ sql }) => namesColumn(sql, name)) ||
    table.definitions.some(({ kind, sql }) => kind !== 'table' && namesColumn(sql, name))
  );
}
