import type { ColumnInfo, Dialect } from '../core/index.js';
import type { Comparison } from './compare-table.js';
import { namesColumn } from './constraints.js';
import { defaultOf } from './create-table.js';
import { defaultMeaning } from './default-text.js';
import type { ActualColumn, ActualTable } from './introspect.js';

/** Whether a change takes a new table, where a database changes little else than names (https://sqlite.org/lang_altertable.html). */
export function isBuiltAnew(
  { table, changed, added, dropped, recomputed, constraints, valueChecks, indexes, key }: Comparison,
  dialect: Dialect,
): boolean {
  const { dropKeys, addKeys, dropChecks, addChecks } = constraints;
  return (
    key !== undefined ||
    recomputed.size > 0 ||
    [changed, dropKeys, addKeys, dropChecks, addChecks, valueChecks.added].some(({ length }) => length > 0) ||
    indexes.drop.some(({ constraint }) => constraint) ||
    dropped.some((column) => column.computed || isHeld(column, table) || !comesBack(column, dialect)) ||
    added.some((column) => cannotBeAdded(column, dialect))
  );
}

// https://sqlite.org/lang_altertable.html#alter_table_add_column
function cannotBeAdded(column: ColumnInfo, dialect: Dialect): boolean {
  const { expression, virtual = false } = column.definition;
  if (expression !== undefined) return !virtual;
  const fallback = defaultOf(column, dialect);
  return fallback === null ? !column.nullable : fallback.startsWith('(');
}

// By the same rule, for what is dropped and must be added again.
function comesBack({ default: fallback, nullable, collation }: ActualColumn, { schema }: Dialect): boolean {
  const { is } = defaultMeaning(fallback, schema.introspection);
  return collation === undefined && (is === 'literal' || (is === 'none' && nullable));
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
