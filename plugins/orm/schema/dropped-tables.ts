import { behindTargets } from './constraints.js';
import type { ActualForeignKey, ActualTable } from './introspect.js';

/** In which order tables are dropped, and which of their foreign keys must go before. */
export interface DropOrder {
  /** Each before those that its foreign keys point at, as far as there is such an order. */
  readonly tables: readonly ActualTable[];
  /** Keys of circles: they point at a table that is dropped before their own. */
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
