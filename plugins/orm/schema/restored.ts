import { onOneLine, type ColumnKind, type ColumnState, type Dialect } from '../core/index.js';
import { stateOf } from './column-states.js';
import { checkClause, primaryKeyName } from './constraints.js';
import { restoreIndex } from './indexes.js';
import type { ActualColumn, ActualTable } from './introspect.js';

// Values for not-null columns whose values are lost. In parentheses, because MySQL accepts no plain default for long types
// (https://dev.mysql.com/doc/refman/8.0/en/data-type-defaults.html).
const EMPTY: Readonly<Partial<Record<ColumnKind, string>>> = {
  int: `('0')`,
  bigint: `('0')`,
  float: `('0')`,
  decimal: `('0')`,
  boolean: `('0')`,
  string: `('')`,
  text: `('')`,
  date: `('1970-01-02')`,
  plainDate: `('1970-01-02')`,
  plainTime: `('00:00:00')`,
  interval: `('00:00:00')`,
  json: `('{}')`,
  array: `('{}')`,
  uuid: `('00000000-0000-0000-0000-000000000000')`,
};

/** Statements that restore a dropped column without its values. */
export function restoreColumn(table: string, column: ActualColumn, dialect: Dialect): readonly string[] {
  const state = stateOf(column);
  const { schema, compiler } = dialect;
  const [own, name] = [compiler.quote(table), compiler.quote(column.name)];
  const add = (said: ColumnState) => `ALTER TABLE ${own} ${schema.addColumn} ${name} ${schema.columnText(said)}`;
  const { nullable, default: fallback, autoincrement, expression } = state;
  if (nullable || fallback !== null || autoincrement || expression !== undefined) return [add(state)];
  const kind = schema.introspection.kindOf(column.type);
  const [label] = column.labels ?? [];
  const known = kind === undefined ? undefined : EMPTY[kind];
  const empty = label === undefined ? known : `(${schema.text(label)})`;
  if (empty === undefined || schema.alterColumn === undefined) {
    const note = `-- ${table}.${column.name} takes no null and its values are gone: this fails when the table has rows; write here what they get`;
    return [note, add(state)];
  }
  const filled = { ...state, default: empty, defaultName: `${column.name}_while_added` };
  return [
    `-- the values of ${table}.${column.name} are gone; it takes no null, so that each row gets ${empty.slice(1, -1)}`,
    add(filled),
    ...schema.alterColumn(own, name, filled, state),
  ];
}

/**
 * Statements that restore a dropped table without its rows. Foreign keys follow once every table exists.
 *
 * @param aside - descriptions of the parts that no model can declare
 */
export function restoreTable(table: ActualTable, dialect: Dialect, aside: readonly string[] = []): readonly string[] {
  if (table.definitions.length > 0) return table.definitions.map(({ sql }) => sql);
  return [
    `-- the rows of ${table.name} are gone, and its triggers, rights and comments, if it had any`,
    ...aside.map((part) => `-- ${onOneLine(part)} of ${table.name} is gone: write here how to make it again`),
    ...bareRestoredTable(table, dialect),
  ];
}

/** Statements that make a table by what the catalogs tell of it, without its foreign keys. */
export function bareRestoredTable(table: ActualTable, dialect: Dialect): readonly string[] {
  const { compiler, schema } = dialect;
  const { primaryKey, primaryKeyClauses, checks, columns } = table;
  const quote = (name: string) => compiler.quote(name);
  const keyName = quote(table.primaryKeyName ?? primaryKeyName(table.name));
  const behind = primaryKeyClauses === undefined ? '' : ` ${primaryKeyClauses}`;
  const lines = [
    ...columns.map((column) => `${quote(column.name)} ${schema.columnText(stateOf(column))}`),
    ...(primaryKey.length === 0
      ? []
      : [`CONSTRAINT ${keyName} PRIMARY KEY (${primaryKey.map((name) => quote(name)).join(', ')})${behind}`]),
    ...checks.filter(({ ofColumn }) => !ofColumn).map((check) => checkClause(check, dialect)),
  ];
  return [
    `CREATE TABLE ${quote(table.name)} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${schema.tableOptions ?? ''}`,
    ...table.indexes.map((index) => restoreIndex(table.name, index, dialect)),
  ];
}
