import type { Dialect, ModelInfo } from '../core/index.js';
import { checkClause, checksOf, namesColumn } from './constraints.js';
import { covers, createIndex, dropIndex, restoreIndex, wantedIndexes } from './indexes.js';
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
  const { primaryKey, primaryKeyName, primaryKeyClauses } = table;
  const behind = primaryKeyClauses === undefined ? '' : ` ${primaryKeyClauses}`;
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
      ...keys.map(
        (name) => `ALTER TABLE ${own} ADD CONSTRAINT ${dialect.compiler.quote(name)} PRIMARY KEY (${key})${behind}`,
      ),
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

/** Statements around a change of columns, in both directions. */
interface Wording {
  readonly drop: readonly string[];
  readonly restore: readonly string[];
  /** What restores the former state, once the change is undone. */
  readonly undo: readonly string[];
}

/**
 * Indexes and checks whose SQL names columns that get, lose or change an enum as their type. The database keeps such SQL with the type of
 * its literals, and would compare that with the new type of the column, which it refuses
 * (https://www.postgresql.org/docs/current/datatype-enum.html#DATATYPE-ENUM-TYPE-SAFETY). They come back in the words of the model,
 * which name no type, where it has some.
 *
 * @param table - in the state in which the change finds it
 */
export function wordingOf(columns: readonly string[], model: ModelInfo, table: ActualTable, dialect: Dialect): Wording {
  const own = dialect.compiler.quote(table.name);
  const names = (sql: string) => columns.some((column) => namesColumn(sql, column));
  const indexes = table.indexes.filter(
    ({ plain, written }) => !plain && written !== undefined && [...written.parts, written.where ?? ''].some(names),
  );
  const checks = table.checks.filter(({ sql }) => names(sql));
  const saidIndexes = new Map(wantedIndexes(model).map((index) => [index.name, index]));
  const saidChecks = new Map(checksOf(model).map((check) => [check.name, check]));
  return {
    drop: [
      ...indexes.map((index) => dropIndex(table.name, index, dialect)),
      ...checks.map(({ name }) => dialect.schema.dropConstraint(own, dialect.compiler.quote(name))),
    ],
    restore: [
      ...checks.map((check) => {
        const said = saidChecks.get(check.name);
        return said ? `ALTER TABLE ${own} ADD ${checkClause(said, dialect)}` : addCheck(table, check, dialect);
      }),
      ...indexes.map((index) => {
        const said = saidIndexes.get(index.name);
        return said ? createIndex(table.name, said, dialect) : restoreIndex(table.name, index, dialect);
      }),
    ],
    undo: [
      ...checks.map((check) => addCheck(table, check, dialect)),
      ...indexes.map((index) => restoreIndex(table.name, index, dialect)),
    ],
  };
}
