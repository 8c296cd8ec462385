import { behindTargets } from './constraints.js';
import type { ActualForeignKey, ActualTable } from './introspect.js';

/** Order in which tables are dropped, and the foreign keys to drop first. */
interface DropOrder {
  /** Each before those that its foreign keys refer to, as far as possible. */
  readonly tables: readonly ActualTable[];
  /** Foreign keys of cycles: they refer to a table that is dropped before their own. */
  readonly inTheWay: readonly ActualForeignKey[];
}

/** The order in which tables can be dropped. */
export function dropOrder(given: readonly ActualTable[]): DropOrder {
  const tables = [
    ...behindTargets(
      given,
      ({ name }) => name,
      ({ foreignKeys }) => foreignKeys.map(({ table }) => table),
    ),
  ].reverse();
  const places = new Map(tables.map(({ name }, place) => [name, place]));
  const inTheWay = tables.flatMap(({ foreignKeys }, place) =>
    foreignKeys.filter(({ table }) => (places.get(table) ?? place) < place),
  );
  return { tables, inTheWay };
}
