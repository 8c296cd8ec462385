import { fwError, token, type FwError } from '../../../../kernel/index.js';
import { isError } from '../../../../kernel/errors/index.js';
import type { Dialect } from '../dialect/dialect.js';
import { ORM_ERRORS } from '../errors.js';
import type { BoundedMapStats } from '../../../../kernel/bounded/index.js';
import { Planner, type PlanRewriter } from '../plan/planner.js';
import type { OrmPlugin } from './orm-plugin.js';
import { InsertPlans } from '../query/insert-plans.js';
import { runAfterCommit, type AfterCommit } from './after-commit.js';
import type { Limits } from './deadline.js';
import { Executor } from './executor.js';
import { RawStatements } from './observed-handle.js';
import { resolveOpenOptions, type OpenOptions, type ResolvedOpenOptions } from './open-options.js';
import { chain } from './maybe-promise.js';
import type { HandleFacts, HandleStats, SqlConnection, SqlHandle } from './sql-handle.js';
import type { Session } from './session.js';

/** Counters of a database, as the `orm` probe shows them. */
export interface DatabaseStats {
  readonly plan: BoundedMapStats;
  readonly inserts: BoundedMapStats;
  readonly scan: BoundedMapStats;
  readonly shapes: { readonly shapes: number; readonly resets: number };
  readonly handle: HandleStats;
}

/** An open database: what `open` returns and `model` takes. */
export class OrmDatabase implements Session {
  readonly database: Database = this;
  readonly planner: Planner;
  readonly executor: Executor;
  readonly inserts: InsertPlans;
  readonly options: ResolvedOpenOptions;
  /** Milliseconds for a statement whose call says nothing; none when undefined. */
  readonly defaultTimeout: number | undefined;
  /** Tells of statements that the executor does not run; undefined without observers. */
  readonly raw: RawStatements | undefined;
  readonly #given: SqlHandle;

  constructor(
    /** What the ORM's own statements run on. */
    readonly handle: SqlHandle,
    readonly dialect: Dialect,
    fragments: readonly OpenOptions[],
  ) {
    this.options = resolveOpenOptions(fragments);
    this.defaultTimeout = this.options.executor.defaultTimeout;
    const { plugins, observers, compiledQueryCacheSize, scanPlanCacheSize, optimizerPasses } = this.options;
    this.planner = new Planner({
      dialect,
      planCacheSize: compiledQueryCacheSize,
      scanCacheSize: scanPlanCacheSize,
      passes: optimizerPasses,
      rewrite: rewriterOf(plugins),
      bypassCache: plugins.some((plugin) => plugin.isRequestScoped?.() === true),
    });
    this.executor = new Executor([...plugins, ...observers]);
    this.raw = observers.length > 0 ? new RawStatements(observers) : undefined;
    this.#given = this.raw?.observed(handle, this) ?? handle;
    setStmtCacheSize(handle, this.options.executor.stmtCacheSize);
    this.inserts = new InsertPlans(this.planner, compiledQueryCacheSize);
  }

  get connection(): SqlConnection {
    return this.handle;
  }

  afterCommit(callback: AfterCommit): void {
    // Nothing awaits the callback: its error becomes a process warning and does not end the process.
    const run = () => runAfterCommit([callback]);
    Promise.resolve()
      .then(run)
      .catch(({ message, code, cause }: FwError) => {
        const detail = isError(cause) ? cause.stack : undefined;
        process.emitWarning(message, { code, ...(detail !== undefined && { detail }) });
      });
  }

  /** The handle below: what `open` was given (SPEC "ORM operations", `SQLDB()`), with observers of its statements where there are any. */
  sqlDB(): SqlHandle {
    return this.#given;
  }

  /**
   * Succeeds when the database answers.
   *
   * @param limits - how long to wait: `timeout` in milliseconds, `signal`
   * @throws FwError `FW_ORM_CONNECTION`, `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  ping(limits?: Limits): Promise<void> {
    return this.handle.ping(limits);
  }

  /** Releases statements and connections. What runs afterwards gets `FW_ORM_CLOSED`. */
  close(): Promise<void> {
    return this.handle.close();
  }

  /** Driver and version of the database, if the handle knows them. */
  get about(): HandleFacts | undefined {
    return this.handle.about;
  }

  /** Counters of caches and connections. */
  stats(): DatabaseStats {
    const { cache, scanners, forest } = this.planner;
    const [shapes, inserts] = [forest.stats(), this.inserts.stats()];
    return { plan: cache.stats(), inserts, scan: scanners, shapes, handle: this.handle.stats() };
  }
}

/** An open database; its token is what the `orm` plugin provides. */
export type Database = OrmDatabase;
export const Database = token<Database>('fw.Database');

/**
 * Opens the ORM on a handle (SPEC "ORM operations", `Open`). Nothing is sent to the database yet.
 *
 * @param options - one object, or any number of fragments made by `withPlugins(...)` and its kin
 * @throws FwError `FW_ORM_OPTIONS`
 * @example const db = open(await openSqlite('app.db'), sqlite, withPlugins(softDelete('deleted_at')));
 */
export function open(handle: SqlHandle, dialect: Dialect, ...options: readonly OpenOptions[]): Database {
  const database = new OrmDatabase(handle, dialect, options);
  openedLast.set(handle, database).set(database.sqlDB(), database);
  return database;
}

const openedLast = new WeakMap<SqlHandle, Database>();

/**
 * The session that a call names: a database, a transaction, or the handle that a database was opened on (the one that was
 * opened last, when there are several).
 *
 * @throws FwError `FW_ORM_HANDLE`
 */
export function sessionOf<Given extends Session>(given: Given | SqlHandle): Given | Database {
  if ('database' in given) return given;
  const database = openedLast.get(given);
  if (database === undefined) throw fwError(ORM_ERRORS.FW_ORM_HANDLE, {});
  return database;
}

function setStmtCacheSize(handle: SqlHandle, size: number | undefined): void {
  if (size === undefined) return;
  if (handle.setStmtCacheSize) return handle.setStmtCacheSize(size);
  const expected = 'none, because this handle keeps no prepared statements';
  throw fwError(ORM_ERRORS.FW_ORM_OPTIONS, { option: 'stmtCacheSize', expected, got: size });
}

function rewriterOf(plugins: readonly OrmPlugin[]): PlanRewriter | undefined {
  const rewriting = plugins.filter((plugin) => plugin.beforePlan !== undefined);
  if (rewriting.length === 0) return undefined;
  return (plan) =>
    rewriting.reduce<ReturnType<PlanRewriter>>(
      (now, plugin) => chain(now, (at) => plugin.beforePlan?.(at) ?? at),
      plan,
    );
}
