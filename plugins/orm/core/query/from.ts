import type { Derived } from '../expression/derived.js';
import { singleOf } from '../expression/conditions.js';
import type { Session } from '../session/session.js';
import { Query } from './query.js';
import type { WholeOf } from './query-types.js';

/**
 * Starts a query on the rows of another one; see `derived`, `cte` and `recursive`.
 *
 * @param session - a database, or the transaction that the query is to join
 * @example await from(db, spent).where(spent.columns.total.gt('100')).orderBy(spent.columns.total.desc()).find();
 */
export function from<Row extends object, Name extends string>(
  session: Session,
  source: Derived<Row, Name>,
): Query<Row, WholeOf<Row>, Row | Name, never> {
  const { part, values, model, key } = source;
  const root = session.database.planner.forest.root(model);
  const shape = root.then(`source:${key}`, { t: 'source', source: part, values: values.length });
  const start = new Query<Row, WholeOf<Row>, Row | Name, never>(session, root, undefined, undefined);
  return new Query(session, shape, start, singleOf(values));
}
