import type { Database, HeldTimes } from '../core/index.js';
import type { ActualColumn, ActualTable } from '../schema/introspect.js';
import { bareName } from '../schema/names.js';

/** How columns hold times, where their types do not say. */
export type PulledTimes = ReadonlyMap<ActualColumn, HeldTimes>;

/** Looks at the times that the tables hold. */
export async function timesOf(db: Database, tables: readonly ActualTable[]): Promise<PulledTimes> {
  const { introspection } = db.dialect.schema;
  const times = new Map<ActualColumn, HeldTimes>();
  for (const { name: table, columns, view } of tables) {
    for (const column of columns) {
      const { madeOf = column.type } = column;
      const isArray = introspection.kindOf(madeOf) === 'array';
      const kind = introspection.kindOf(isArray ? madeOf.replace(/\[\]$/, '') : madeOf);
      if (introspection.heldTimes === undefined || kind !== 'date') continue;
      const [quotedTable, quotedColumn] = [table, column.name].map((name) => db.dialect.compiler.quote(name)) as [string, string]; // prettier-ignore
      const place = { table: bareName(table), column: bareName(column.name), isArray, default: column.default, quotedTable, quotedColumn }; // prettier-ignore
      const held = introspection.heldTimes(db.handle, place);
      // A view that cannot be read, such as one that nobody has filled, holds nothing yet: its types say what it will.
      times.set(column, await (view === undefined ? held : held.catch(() => ({}))));
    }
  }
  return times;
}
