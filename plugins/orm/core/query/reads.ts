import { fwError } from '../../../../kernel/index.js';
import { columnDecoder } from '../dialect/column-decoder.js';
import { ORM_ERRORS } from '../errors.js';
import type { PositionalRow } from '../model/model-definition.js';
import { parametersOf, scanRows, type Plan } from '../plan/plan.js';
import type { PlanKind, Shape } from '../plan/shape.js';
import { loadRelations, type RelatedQueries, type RowWithKey } from '../preload/load-relations.js';
import { preloadTree, type PreloadSpec } from '../preload/preload-options.js';
import type { ColumnInfo, ModelInfo } from '../model/model-info.js';
import { chain, promised } from '../session/maybe-promise.js';
import { assertCallOptions } from '../session/checked-options.js';
import { assertWanted } from '../session/deadline.js';
import type { RunStatement } from '../session/executor.js';
import type { MaybePromise, StatementOptions, WriteResult } from '../session/sql-handle.js';
import type { CallOptions, Session } from '../session/session.js';

/** A query ready to run. */
export interface Runnable {
  readonly session: Session;
  readonly shape: Shape;
  values(places?: readonly number[]): unknown[];
}

/** A query that may load relations with its rows. */
export interface Preloading extends Runnable, RelatedQueries {
  readonly preloads: readonly PreloadSpec[] | undefined;
}

const ALL: RunStatement<readonly PositionalRow[]> = (connection, sql, parameters, options) => {
  return connection.query(sql, parameters, options);
};
/** Runs a statement that writes. */
export const WRITE: RunStatement<WriteResult> = (connection, sql, parameters, options) => {
  return connection.execute(sql, parameters, options);
};
const FIRST: RunStatement<PositionalRow | undefined> = (connection, sql, parameters, options) => {
  return connection.queryFirst(sql, parameters, options);
};

/** All rows. */
export function runFind(query: Preloading, call: CallOptions | undefined): MaybePromise<object[]> {
  return chain(planOf(query, 'find'), allRows, query, call);
}

function allRows(plan: Plan, query: Preloading, call: CallOptions | undefined): MaybePromise<object[]> {
  if (isKnownEmpty(plan, call)) return [];
  const found = chain(run(query, plan, call, ALL), scanRows, plan.scan);
  return query.preloads === undefined ? found : chain(found, preloaded, query, call);
}

/** All rows of a query with a key column behind each; see `Query.withKey`. */
export function findWithKeys(
  query: Runnable,
  key: ColumnInfo,
  call: CallOptions | undefined,
): Promise<readonly RowWithKey[]> {
  const decode = columnDecoder(query.session.database.dialect, key);
  const at = query.shape.model.readable.length;
  return promised(() =>
    chain(planOf(query, 'find'), (plan) =>
      chain(run(query, plan, call, ALL), (rows) =>
        rows.map((row) => ({ row: plan.scan(row), key: decode && row[at] !== null ? decode(row[at]) : row[at] })),
      ),
    ),
  );
}

async function preloaded<Found extends object>(
  rows: Found[],
  query: Preloading,
  call: CallOptions | undefined,
): Promise<Found[]> {
  if (rows.length > 0) await loadRelations(query, query.shape.model, rows, preloadTree(query.preloads ?? []), call);
  return rows;
}

/** The first row, or the error of the SPEC. */
export function runFirst(query: Preloading, call: CallOptions | undefined): MaybePromise<object> {
  const found = readFirst(query, call);
  if (query.preloads === undefined) return found;
  return chain(found, (row) => chain(preloaded([row], query, call), () => row));
}

/** The first row, without relations. */
export function readFirst(query: Runnable, call: CallOptions | undefined): MaybePromise<object> {
  const plan = query.session.database.planner.known(query.shape, 'first');
  return plan === undefined ? chain(planOf(query, 'first'), firstRow, query, call) : firstRow(plan, query, call);
}

function firstRow(plan: Plan, query: Runnable, call: CallOptions | undefined): MaybePromise<object> {
  if (isKnownEmpty(plan, call)) throw noRows(query);
  const found = run(query, plan, call, FIRST);
  // Checking for an array is faster than checking for a promise, which searches the prototypes.
  if (Array.isArray(found)) return plan.scan(found);
  return chain(found as MaybePromise<PositionalRow | undefined>, scanned, query, plan);
}

function scanned(row: PositionalRow | undefined, query: Runnable, plan: Plan): object {
  if (row === undefined) throw noRows(query);
  return plan.scan(row);
}

/** The only row. */
export function runOnly(query: Preloading, call: CallOptions | undefined): MaybePromise<object> {
  return chain(chain(planOf(query, 'only'), allRows, query, call), ([row, second]) => {
    if (row === undefined) throw noRows(query);
    if (second !== undefined) throw fwError(ORM_ERRORS.FW_ORM_SEVERAL_ROWS, { model: query.shape.model.name });
    return row;
  });
}

/** `COUNT(*)` */
export function runCount(query: Runnable, call: CallOptions | undefined): MaybePromise<number> {
  return chain(planOf(query, 'count'), (plan) => {
    if (isKnownEmpty(plan, call)) return 0;
    return chain(run(query, plan, call, FIRST), (row) => Number(row?.[0] ?? 0));
  });
}

/** Whether there is a row. */
export function runExists(query: Runnable, call: CallOptions | undefined): MaybePromise<boolean> {
  return chain(planOf(query, 'exists'), (plan) => {
    if (isKnownEmpty(plan, call)) return false;
    return chain(run(query, plan, call, FIRST), (row) => row !== undefined);
  });
}

/**
 * Options of a statement: what the plan needs, and what the call or the database says about time.
 *
 * @throws FwError `FW_ORM_OPTIONS`
 */
export function statementOptions(
  session: Session,
  plan: Plan,
  call: CallOptions | undefined,
): StatementOptions | undefined {
  const { defaultTimeout } = session.database;
  if (call === undefined && defaultTimeout === undefined) return plan.options;
  assertCallOptions(call);
  return { bigints: plan.bigints, dates: plan.dates, timeout: call?.timeout ?? defaultTimeout, signal: call?.signal };
}

/** Runs the plan of a query. */
export function run<Result>(
  query: Runnable,
  plan: Plan,
  call: CallOptions | undefined,
  how: RunStatement<Result>,
): MaybePromise<Result> {
  return runPlan(query.session, query.shape.model, plan, parametersOf(plan, query), call, how);
}

/** Runs a plan with parameters that are bound already. */
export function runPlan<Result>(
  session: Session,
  model: ModelInfo,
  plan: Plan,
  parameters: readonly unknown[],
  call: CallOptions | undefined,
  how: RunStatement<Result>,
): MaybePromise<Result> {
  const statement = { sql: plan.sql, parameters, options: statementOptions(session, plan, call) };
  return session.database.executor.run(session, model.name, statement, how);
}

/**
 * Whether no row can match, so that the database is not asked. Wrong options of the call are errors all the same, as for other values.
 *
 * @throws FwError `FW_ORM_OPTIONS`; `FW_ORM_ABORTED` when the signal has fired already
 */
export function isKnownEmpty(plan: Plan, call: CallOptions | undefined): boolean {
  if (!plan.empty) return false;
  assertCallOptions(call);
  assertWanted(call?.signal);
  return true;
}

/** The plan that a query is run by. */
export function planOf({ session, shape }: Runnable, kind: PlanKind): MaybePromise<Plan> {
  return session.database.planner.plan(shape, kind);
}

function noRows({ shape }: Runnable) {
  return fwError(ORM_ERRORS.FW_ORM_NO_ROWS, { model: shape.model.name });
}
