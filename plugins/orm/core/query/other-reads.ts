import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { Aggregate } from '../expression/selection.js';
import { formError } from '../plan/form-error.js';
import type { AggregateName, Part } from '../plan/parts.js';
import { plainTarget } from '../plan/steps.js';
import { parametersOf, scanRows } from '../plan/plan.js';
import { wholeNumber } from '../plan/whole-number.js';
import { loadRelations } from '../preload/load-relations.js';
import { preloadTree } from '../preload/preload-options.js';
import { assertObject } from '../session/checked-options.js';
import type { CallOptions } from '../session/session.js';
import type { Query } from './query.js';
import { isKnownEmpty, statementOptions, type Preloading, type Runnable } from './reads.js';

/** Options of `stream`; `timeout` is for each portion. */
export interface StreamOptions extends CallOptions {
  /** Rows per portion. Default 500. */
  readonly batchSize?: number;
}

/** What `explain` gives. */
export interface Explanation {
  readonly sql: string;
  /** Rows of the database's own explanation, by position. */
  readonly plan: readonly (readonly unknown[])[];
}

const DEFAULT_BATCH = 500;

/**
 * Rows one by one, fetched in portions; relations are loaded per portion. Plugins see one statement, at its start.
 *
 * @throws FwError `FW_ORM_OPTIONS`, `FW_ORM_NUMBER`
 */
export async function* streamRows(query: Preloading, options: StreamOptions): AsyncGenerator<object> {
  const { session, shape } = query;
  assertObject('of the stream', options);
  const { batchSize: given = DEFAULT_BATCH } = options;
  const batchSize = wholeNumber('batchSize', given, 1);
  const plan = await session.database.planner.plan(shape, 'find');
  if (isKnownEmpty(plan, options)) return;
  // A stream lasts as long as its reader takes, so the default timeout of a statement does not apply.
  const how = { ...statementOptions(session, plan, { timeout: 0, ...options }), batchSize };
  const statement = { sql: plan.sql, parameters: parametersOf(plan, query) };
  const rows = session.database.executor.stream(session, shape.model.name, statement, (on, parameters) => {
    return on.stream(plan.sql, parameters, how);
  });
  for await (const portion of rows) {
    const objects = scanRows(portion, plan.scan);
    if (query.preloads) await loadRelations(query, shape.model, objects, preloadTree(query.preloads), options);
    yield* objects;
  }
}

/** The database's own explanation of a query. */
export async function explainQuery(query: Runnable, call: CallOptions | undefined): Promise<Explanation> {
  const { session, shape } = query;
  const { explain, dialect } = session.database.dialect.capabilities;
  if (explain === undefined) {
    const reason = 'its plans are switched on per connection (SET SHOWPLAN_ALL)';
    throw fwError(ORM_ERRORS.FW_ORM_UNSUPPORTED, { dialect, feature: 'explain', reason });
  }
  const plan = await session.database.planner.plan(shape, 'find');
  const parameters = parametersOf(plan, query);
  const options = { ...statementOptions(session, plan, call), bigints: false, dates: undefined, once: true };
  return { sql: plan.sql, plan: await session.connection.query(`${explain}${plan.sql}`, parameters, options) };
}

const REFUSED_BESIDE_AGGREGATES: ReadonlySet<Part['t']> = new Set([
  'limit',
  'offset',
  'distinct',
  'group',
  'groupValue',
  'combine',
  'after',
]);

/** One aggregate over all rows of a query. */
export async function aggregateOf<Value>(
  query: Query<never, unknown>,
  name: AggregateName,
  column: string,
  call: CallOptions | undefined,
): Promise<Value> {
  const { model } = query.shape;
  const target = plainTarget(model.column(column));
  if (query.shape.parts().some(({ t }) => REFUSED_BESIDE_AGGREGATES.has(t)))
    throw formError(
      model,
      `${name} is over all rows that match; limit, offset, distinct and groupBy have no say in it`,
    );
  const row = await query.select(new Aggregate(name, target, 'value', false)).first(call);
  return (row as { readonly value: Value }).value;
}
