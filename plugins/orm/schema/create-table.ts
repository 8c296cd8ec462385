import { identifier, snakeCase, type ColumnInfo, type Dialect, type ModelInfo } from '../core/index.js';

/** Statements that create a model's table with its keys, defaults and indexes. */
export function createTable(model: ModelInfo, dialect: Dialect): readonly string[] {
  const quote = (name: string) => dialect.compiler.quote(name);
  const lines = model.columns.map((column) => `  ${columnLine(column, dialect)}`);
  const keyIsInline = model.primaryKey.length === 1 && model.primaryKey[0]?.autoincrement;
  if (model.primaryKey.length > 0 && !keyIsInline) {
    lines.push(`  PRIMARY KEY (${model.primaryKey.map(({ name }) => quote(name)).join(', ')})`);
  }
  return [
    `CREATE TABLE ${quote(model.table)} (\n${lines.join(',\n')}\n)${dialect.schema.tableOptions ?? ''}`,
    ...indexes(model, dialect),
  ];
}

/** One column as CREATE TABLE and ADD COLUMN write it. */
export function columnLine(column: ColumnInfo, dialect: Dialect): string {
  const { schema, compiler } = dialect;
  const name = compiler.quote(column.name);
  if (column.autoincrement && column.primaryKey) return `${name} ${schema.autoincrement(column)}`;
  const value = column.definition.default;
  const fallback = value === undefined ? '' : ` DEFAULT ${schema.defaultValue(column, value)}`;
  return `${name} ${schema.columnType(column)}${column.nullable ? '' : ' NOT NULL'}${fallback}`;
}

/** Statements for the indexes that the tags ask for. */
export function indexes(model: ModelInfo, dialect: Dialect): readonly string[] {
  return model.columns.flatMap((column) =>
    column.definition.unique || column.definition.index ? [createIndex(column, dialect)] : [],
  );
}

/** Statement for the index of one column. */
export function createIndex(column: ColumnInfo, { compiler }: Dialect): string {
  const unique = column.definition.unique ?? false;
  const on = `${compiler.quote(column.model.table)} (${compiler.quote(column.name)})`;
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${compiler.quote(indexName(column))} ON ${on}`;
}

/** Name of a column's index: `users_email_key` for a unique one, `users_email_idx` for another. */
export function indexName({ model, name, definition }: ColumnInfo): string {
  return identifier(`${snakeCase(model.table.replaceAll('.', '_'))}_${name}_${definition.unique ? 'key' : 'idx'}`);
}
