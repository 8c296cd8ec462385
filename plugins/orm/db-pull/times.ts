import type { Database, HeldTimes } from '../core/index.js';
import type { ActualColumn, ActualTable } from '../schema/introspect.js';

/** How columns hold times, where their types do not say. */
export type PulledTimes = ReadonlyMap<ActualColumn, HeldTimes>;

/** Looks at the times that the tables hold. */
export async function timesOf(db: Database, tables: readonly ActualTable[]): Promise<PulledTimes> {
  const { introspection } = db.dialect.schema;
  const times = new Map<ActualColumn, HeldTimes>();
  for (const { name: table, columns } of tables) {
    for (const column of columns) {
      if (introspection.heldTimes === undefined || introspection.kindOf(column.type) !== 'date') continue;
      const place = { table, column: column.name, default: column.default };
      times.set(column, await introspection.heldTimes(db.sqlDB(), place));
    }
  }
  return times;
}
