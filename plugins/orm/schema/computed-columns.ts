import type { ColumnInfo, Database, Dialect, ModelInfo } from '../core/index.js';
import { sameType } from './column-states.js';
import { sameSql } from './constraints.js';
import type { ActualColumn, ActualTable } from './introspect.js';
import { columnTypeOf } from './native-enums.js';
import { rolledBack } from './rolled-back.js';

/** How a column is computed. */
interface Computation {
  readonly expression: string;
  readonly virtual: boolean;
}

/** Computation of a column, as far as the database reports it. */
export function computationOf({ computed, expression: text }: ActualColumn): Computation | undefined {
  const [, expression, how = ''] = /^(?:GENERATED\s+ALWAYS\s+)?AS\s*\(([\s\S]*)\)\s*(\w*)$/i.exec(text ?? '') ?? [];
  if (!computed || expression === undefined) return undefined;
  return { expression, virtual: !/^(?:stored|persisted|persistent)$/i.test(how) };
}

/** Whether the computation that the model declares differs from the one of the column. */
export function isComputedAnew(column: ColumnInfo, actual: ActualColumn, dialect: Dialect): boolean {
  const { expression, virtual = false } = column.definition;
  if (expression === undefined) return false;
  const present = computationOf(actual);
  if (present === undefined) return !actual.computed;
  return (
    present.virtual !== virtual ||
    !sameType(column, actual, dialect) ||
    !(sameSql(present.expression, expression) || actual.saidAs?.includes(expression))
  );
}

/**
 * Asks the database for its spelling of the models' expressions of computed columns, where they differ: it adds parentheses, casts and
 * names in its own way.
 */
export async function withSaidExpressions(
  db: Database,
  tables: readonly ActualTable[],
  models: readonly ModelInfo[],
): Promise<readonly ActualTable[]> {
  const told = new Map<string, ActualTable>();
  for (const model of models) {
    const table = tables.find(({ name }) => name === model.table);
    if (table !== undefined) told.set(table.name, await withSaid(db, table, model));
  }
  return tables.map((table) => told.get(table.name) ?? table);
}

async function withSaid(db: Database, table: ActualTable, model: ModelInfo): Promise<ActualTable> {
  const columns = [...table.columns];
  for (const column of model.columns) {
    const { expression } = column.definition;
    const others = columns.filter((actual) => {
      const present = computationOf(actual);
      return expression !== undefined && present !== undefined && !sameSql(present.expression, expression);
    });
    if (expression === undefined || others.length === 0) continue;
    const shown = await shownBy(db, table.name, { type: columnTypeOf(column, db.dialect), expression });
    for (const actual of others)
      if (shown !== undefined && sameSql(shown, computationOf(actual)?.expression))
        columns[columns.indexOf(actual)] = { ...actual, saidAs: [...(actual.saidAs ?? []), expression] };
  }
  return { ...table, columns };
}

async function shownBy(
  db: Database,
  table: string,
  column: { readonly type: string; readonly expression: string },
): Promise<string | undefined> {
  const { introspection } = db.dialect.schema;
  if (introspection.shownExpression === undefined) return undefined;
  return rolledBack(db, async (tx) => introspection.shownExpression?.(tx, db.dialect.compiler.quote(table), column));
}
