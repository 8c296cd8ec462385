import { withoutEnd } from '../../../kernel/values/index.js';
import type { Database, ModelInfo } from '../core/index.js';
import { sameSql } from './constraints.js';
import type { ActualTable } from './introspect.js';
import { rolledBack } from './rolled-back.js';

/** Asks the database for its spelling of the models' view queries, where they differ: it expands stars, names and casts in its own way. */
export async function withSaidQueries(
  db: Database,
  tables: readonly ActualTable[],
  models: readonly ModelInfo[],
): Promise<readonly ActualTable[]> {
  const wanted = new Map(models.map((model) => [model.table, model.definition.view]));
  const told: ActualTable[] = [];
  for (const table of tables) {
    const query = wanted.get(table.name);
    const differs = table.view && typeof query === 'string' && !sameQuery(table.view.query, query);
    told.push(differs ? await withSaid(db, table, query) : table);
  }
  return told;
}

async function withSaid(db: Database, table: ActualTable, query: string): Promise<ActualTable> {
  const { view } = table;
  const { introspection } = db.dialect.schema;
  if (introspection.shownQuery === undefined) return table;
  const shown = await rolledBack(db, async (tx) => introspection.shownQuery?.(tx, query));
  const isThis = view !== undefined && shown !== undefined && sameQuery(shown, view.query);
  return isThis ? { ...table, view: { ...view, saidAs: [query] } } : table;
}

/** Whether two queries are equal except for white space and a final semicolon. */
export const sameQuery = (one: string, other: string): boolean => sameSql(bareQuery(one), bareQuery(other));

/** A query without the semicolon and the white space at its end. */
export const bareQuery = (query: string): string => withoutEnd(query, '; \t\r\n\v\f');
