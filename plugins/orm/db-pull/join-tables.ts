import type { Dialect } from '../core/index.js';
import type { ActualForeignKey, ActualTable } from '../schema/introspect.js';

/** A table that only links two others: its two foreign keys, in the order of its primary key. */
export interface JoinTable {
  readonly name: string;
  readonly ends: readonly [ActualForeignKey, ActualForeignKey];
}

/**
 * Tables that are completely described by a manyToMany on both sides: two foreign keys that form the primary key, with cascading deletes. A
 * table with anything else (a date, a rank, another action) becomes a model, so that nothing is lost.
 */
export function joinTables(tables: readonly ActualTable[], { schema }: Dialect): readonly JoinTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const typeOf = (table: ActualTable | undefined, column: string | undefined) => {
    const found = table?.columns.find(({ name }) => name === column);
    return found && schema.introspection.normalizeType(found.type);
  };
  const pointsWell = (own: ActualTable, key: ActualForeignKey) => {
    const target = byName.get(key.table);
    const [reference] = key.references;
    const isItsKey = target?.primaryKey.length === 1 && target.primaryKey[0] === reference;
    return isItsKey && key.onDelete === 'cascade' && typeOf(own, key.columns[0]) === typeOf(target, reference);
  };
  const found = tables.flatMap((table) => {
    const ends = table.primaryKey.map((column) => table.foreignKeys.find((key) => key.columns.join() === column));
    const [first, second] = ends;
    const isPure = table.columns.length === 2 && table.foreignKeys.length === 2 && table.checks.length === 0;
    if (!isPure || !first || !second || ends.length !== 2) return [];
    return pointsWell(table, first) && pointsWell(table, second)
      ? [{ name: table.name, ends: [first, second] as const }]
      : [];
  });
  // A table that another one refers to is more than a join table.
  const pointedAt = new Set(tables.flatMap(({ foreignKeys }) => foreignKeys.map(({ table }) => table)));
  return found.filter(({ name }) => !pointedAt.has(name));
}
