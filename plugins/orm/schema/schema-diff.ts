import type { ColumnInfo, Dialect, ModelInfo } from '../core/index.js';
import { columnLine, createIndex, createTable, indexName } from './create-table.js';
import type { ActualColumn, ActualTable } from './introspect.js';

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

/** Compares models with the tables that are there. */
export function diffSchema(
  models: readonly ModelInfo[],
  actual: readonly ActualTable[],
  dialect: Dialect,
  options: DiffOptions = {},
): SchemaDiff {
  const difference = new Difference(dialect);
  const present = new Map(actual.map((table) => [table.name, table]));
  for (const model of models) {
    const table = present.get(model.table);
    if (table) difference.table(model, table);
    else difference.newTable(model);
  }
  const wanted = new Set([...models.map(({ table }) => table), ...(options.ignore ?? [])]);
  for (const table of actual) if (options.dropTables && !wanted.has(table.name)) difference.droppedTable(table);
  return difference.result();
}

class Difference {
  readonly #up: string[] = [];
  readonly #down: string[] = [];
  readonly #warnings: string[] = [];

  constructor(private readonly dialect: Dialect) {}

  result(): SchemaDiff {
    return { up: this.#up, down: this.#down, warnings: this.#warnings };
  }

  newTable(model: ModelInfo): void {
    this.#up.push(...createTable(model, this.dialect));
    this.#undo(`DROP TABLE ${this.#quote(model.table)}`);
  }

  droppedTable(table: ActualTable): void {
    this.#warnings.push(`the table ${table.name} is dropped with its rows; no model has it`);
    this.#up.push(`DROP TABLE ${this.#quote(table.name)}`);
    this.#undo(`-- the table ${table.name} is gone: write here how to make it again`);
  }

  table(model: ModelInfo, table: ActualTable): void {
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    this.#renames(model, columns);
    const changed = model.columns.filter((column) => this.#differs(column, columns.get(column.name)));
    const rebuild = changed.length > 0 && this.dialect.schema.alterColumn('t', 'c', 'x', true) === undefined;
    if (rebuild) this.#rebuild(model, table, changed);
    else {
      for (const column of model.columns) if (!columns.has(column.name)) this.#addColumn(column);
      for (const column of changed) this.#changeColumn(column, columns.get(column.name) as ActualColumn);
      this.#indexes(model, table);
      for (const [name, column] of columns)
        if (!model.columns.some((each) => each.name === name)) this.#dropColumn(model, column);
    }
  }

  #renames(model: ModelInfo, columns: Map<string, ActualColumn>): void {
    for (const { name, definition } of model.columns) {
      const before = definition.rename === undefined ? undefined : columns.get(definition.rename);
      if (before === undefined || columns.has(name)) continue;
      const table = this.#quote(model.table);
      const rename = (from: string, to: string) =>
        this.dialect.schema.addColumn === 'ADD'
          ? `EXEC sp_rename '${model.table}.${from}', '${to}', 'COLUMN'`
          : `ALTER TABLE ${table} RENAME COLUMN ${this.#quote(from)} TO ${this.#quote(to)}`;
      this.#up.push(rename(before.name, name));
      this.#undo(rename(name, before.name));
      columns.delete(before.name);
      columns.set(name, { ...before, name });
    }
  }

  #addColumn(column: ColumnInfo): void {
    const table = this.#quote(column.model.table);
    if (!column.nullable && column.definition.default === undefined) {
      this.#warnings.push(
        `${column.model.table}.${column.name} is new, not null and without a default: this fails when the table has rows`,
      );
    }
    this.#up.push(`ALTER TABLE ${table} ${this.dialect.schema.addColumn} ${columnLine(column, this.dialect)}`);
    this.#undo(`ALTER TABLE ${table} DROP COLUMN ${this.#quote(column.name)}`);
  }

  #dropColumn(model: ModelInfo, column: ActualColumn): void {
    const table = this.#quote(model.table);
    this.#warnings.push(`${model.table}.${column.name} is dropped with its values; the model has no such column`);
    this.#up.push(`ALTER TABLE ${table} DROP COLUMN ${this.#quote(column.name)}`);
    const fallback = column.default === null ? '' : ` DEFAULT ${column.default}`;
    this.#undo(
      `ALTER TABLE ${table} ${this.dialect.schema.addColumn} ${this.#quote(column.name)} ${column.type}${fallback}`,
    );
  }

  #changeColumn(column: ColumnInfo, actual: ActualColumn): void {
    const { schema } = this.dialect;
    const [table, name] = [this.#quote(column.model.table), this.#quote(column.name)];
    const wanted = schema.columnType(column);
    this.#noteChange(column, actual);
    this.#up.push(...(schema.alterColumn(table, name, wanted, column.nullable) ?? []));
    this.#undo(...(schema.alterColumn(table, name, actual.type, actual.nullable) ?? []));
  }

  // Where columns cannot be changed the table is built anew beside the old one (https://sqlite.org/lang_altertable.html#otheralter).
  #rebuild(model: ModelInfo, table: ActualTable, changed: readonly ColumnInfo[]): void {
    for (const column of changed)
      this.#noteChange(column, table.columns.find(({ name }) => name === column.name) as ActualColumn);
    const kept = model.columns.filter(({ name }) => table.columns.some((column) => column.name === name));
    const lost = table.columns.filter(({ name }) => !kept.some((column) => column.name === name));
    for (const { name } of lost)
      this.#warnings.push(`${model.table}.${name} is dropped with its values; the model has no such column`);
    const names = kept.map(({ name }) => this.#quote(name)).join(', ');
    const [own, old] = [this.#quote(model.table), this.#quote(`fw_old_${model.table}`)];
    const dropIndexes = table.indexes
      .filter(({ name }) => !name.startsWith('sqlite_'))
      .map(({ name }) => this.dialect.schema.dropIndex(own, this.#quote(name)));
    this.#up.push(...dropIndexes, `ALTER TABLE ${own} RENAME TO ${old}`, ...createTable(model, this.dialect));
    this.#up.push(`INSERT INTO ${own} (${names}) SELECT ${names} FROM ${old}`, `DROP TABLE ${old}`);
    this.#undo(`-- the table ${model.table} was built anew: write here how to make the old one again`);
  }

  #noteChange(column: ColumnInfo, actual: ActualColumn): void {
    const wanted = `${this.dialect.schema.columnType(column)}${column.nullable ? '' : ' not null'}`;
    const present = `${actual.type}${actual.nullable ? '' : ' not null'}`;
    this.#warnings.push(
      `${column.model.table}.${column.name} changes from ${present} to ${wanted}; check that its values fit`,
    );
  }

  #indexes(model: ModelInfo, table: ActualTable): void {
    const own = this.#quote(table.name);
    const wanted = model.columns.filter(({ definition }) => definition.unique || definition.index);
    for (const column of wanted) {
      const unique = column.definition.unique === true;
      if (table.indexes.some((index) => covers(index.columns, column.name) && (index.unique || !unique))) continue;
      this.#up.push(createIndex(column, this.dialect));
      this.#undo(this.dialect.schema.dropIndex(own, this.#quote(indexName(column))));
    }
    for (const index of table.indexes) {
      const ours = /_(key|idx)$/.test(index.name) && index.columns.length === 1;
      if (
        !ours ||
        wanted.some(
          ({ name, definition }) => covers(index.columns, name) && (definition.unique ?? false) === index.unique,
        )
      )
        continue;
      this.#up.push(this.dialect.schema.dropIndex(own, this.#quote(index.name)));
      const unique = index.unique ? 'UNIQUE ' : '';
      this.#undo(
        `CREATE ${unique}INDEX ${this.#quote(index.name)} ON ${own} (${index.columns.map((name) => this.#quote(name)).join(', ')})`,
      );
    }
  }

  #differs(column: ColumnInfo, actual: ActualColumn | undefined): boolean {
    if (actual === undefined || column.autoincrement) return false;
    const { introspection, columnType } = this.dialect.schema;
    const sameType = introspection.normalizeType(columnType(column)) === introspection.normalizeType(actual.type);
    return !sameType || (column.nullable !== actual.nullable && !column.primaryKey);
  }

  // Undone in the opposite order.
  #undo(...statements: readonly string[]): void {
    this.#down.unshift(...statements);
  }

  #quote(name: string): string {
    return this.dialect.compiler.quote(name);
  }
}

const covers = (columns: readonly string[], name: string): boolean => columns.length === 1 && columns[0] === name;
