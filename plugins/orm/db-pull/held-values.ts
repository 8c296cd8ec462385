import type { ColumnKind, Database, HeldTimes, TimePlace } from '../core/index.js';
import type { ActualColumn, ActualTable } from '../schema/introspect.js';
import { bareName } from '../schema/names.js';

/** What values of a column say beyond its type. */
interface HeldValues extends HeldTimes {
  /** What a boolean by its type is declared as instead. */
  readonly kind?: 'int' | 'any';
}

/** What values say of columns, where their types do not. */
export type PulledValues = ReadonlyMap<ActualColumn, HeldValues>;

/** Looks at the times and truths that the tables hold. */
export async function valuesOf(db: Database, tables: readonly ActualTable[]): Promise<PulledValues> {
  const { introspection } = db.dialect.schema;
  const looks: { readonly [Kind in ColumnKind]?: (place: TimePlace) => Promise<HeldValues> | undefined } = {
    date: (place) => introspection.heldTimes?.(db.handle, place),
    boolean: (place) => introspection.heldTruths?.(db.handle, place).then((kind) => (kind ? { kind } : {})),
  };
  const values = new Map<ActualColumn, HeldValues>();
  for (const { name: table, columns, view } of tables) {
    for (const column of columns) {
      const { madeOf = column.type } = column;
      const isArray = introspection.kindOf(madeOf) === 'array';
      const kind = introspection.kindOf(isArray ? madeOf.replace(/\[\]$/, '') : madeOf);
      const [quotedTable, quotedColumn] = [table, column.name].map((name) => db.dialect.compiler.quote(name)) as [string, string]; // prettier-ignore
      const place = { table: bareName(table), column: bareName(column.name), isArray, default: column.default, quotedTable, quotedColumn }; // prettier-ignore
      const held = kind === undefined ? undefined : looks[kind]?.(place);
      if (held === undefined) continue;
      // A view that cannot be read, such as one that nobody has filled, holds nothing yet: its types say what it will.
      values.set(column, await (view === undefined ? held : held.catch(() => ({}))));
    }
  }
  return values;
}
