import type { Dialect } from '../core/index.js';
import { namesColumn } from './constraints.js';
import { covers, dropIndex, restoreIndex } from './indexes.js';
import type { ActualTable } from './introspect.js';
import { addCheck } from './value-checks.js';

/** Statements that drop the objects that depend on columns, and create them again. */
export interface Holders {
  readonly drop: readonly string[];
  readonly restore: readonly string[];
  /** Warnings about objects that cannot be restored exactly. */
  readonly warnings: readonly string[];
}

/**
 * Objects that depend on columns to be changed: indexes, checks and the primary key. Empty if the database handles such dependencies
 * itself.
 *
 * @param table - in the state in which the change finds it
 * @param areHeld - whether the objects must be dropped in any case, because the columns are dropped and added again
 */
export function holdersOf(
  columns: readonly string[],
  table: ActualTable,
  dialect: Dialect,
  areHeld = dialect.schema.columnsAreHeld,
): Holders {
  if (!areHeld || columns.length === 0) return { drop: [], restore: [], warnings: [] };
  const own = dialect.compiler.quote(table.name);
  const drop = (name: string) => dialect.schema.dropConstraint(own, dialect.compiler.quote(name));
  const indexes = table.indexes.filter((index) => columns.some((name) => covers(index, name)));
  const checks = table.checks.filter(({ sql }) => columns.some((name) => namesColumn(sql, name)));
  const { primaryKey, primaryKeyName } = table;
  const keys =
    primaryKeyName !== undefined && primaryKey.some((name) => columns.includes(name)) ? [primaryKeyName] : [];
  const key = primaryKey.map((name) => dialect.compiler.quote(name)).join(', ');
  return {
    drop: [
      ...indexes.map((index) => dropIndex(table.name, index, dialect)),
      ...checks.map(({ name }) => drop(name)),
      ...keys.map(drop),
    ],
    restore: [
      ...keys.map((name) => `ALTER TABLE ${own} ADD CONSTRAINT ${dialect.compiler.quote(name)} PRIMARY KEY (${key})`),
      ...checks.map((check) => addCheck(table, check, dialect)),
      ...indexes.map((index) => restoreIndex(table.name, index, dialect)),
    ],
    warnings: indexes
      .filter(({ plain, written }) => !plain && written === undefined)
      .map(
        ({ name }) =>
          `the index ${name} of ${table.name} is dropped, because a column of it changes; write how to make it again`,
      ),
  };
}
