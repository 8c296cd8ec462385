import { AsyncResource } from 'node:async_hooks';
import { fwError } from '../../../../kernel/index.js';
import { messageOf } from '../../../../kernel/errors/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { OrmPlugin, QueryContext } from './orm-plugin.js';
import type { MaybePromise, SqlConnection, StatementOptions } from './sql-handle.js';
import type { Session } from './session.js';

/** Runs one statement on a connection. */
export type RunStatement<Result> = (
  connection: SqlConnection,
  sql: string,
  parameters: readonly unknown[],
  options: StatementOptions | undefined,
) => MaybePromise<Result>;

/** What a connection runs. */
interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly options: StatementOptions | undefined;
}

/**
 * Runs statements, with the plugins of the database around each. Without plugins a statement costs nothing beside itself.
 */
export class Executor {
  readonly #hasPlugins: boolean;

  constructor(private readonly plugins: readonly OrmPlugin[]) {
    this.#hasPlugins = plugins.length > 0;
  }

  /** Runs one statement. */
  run<Result>(
    session: Session,
    model: string | undefined,
    statement: Statement,
    run: RunStatement<Result>,
  ): MaybePromise<Result> {
    const { sql, parameters, options } = statement;
    if (!this.#hasPlugins) return run(session.connection, sql, parameters, options);
    const context: QueryContext = { session, model, args: parameters, store: new Map() };
    return this.#surrounded(context, sql, () => run(session.connection, sql, context.args, options));
  }

  /** Runs one statement whose rows are read by portions. It ends when the last one is read, or the reader leaves. */
  async *stream<Portion>(
    session: Session,
    model: string | undefined,
    { sql, parameters }: Omit<Statement, 'options'>,
    run: (connection: SqlConnection, parameters: readonly unknown[]) => AsyncIterable<Portion>,
  ): AsyncGenerator<Portion, void> {
    if (!this.#hasPlugins) return yield* run(session.connection, parameters);
    const context: QueryContext = { session, model, args: parameters, store: new Map() };
    // The end may come within whatever the reader waited for, such as a socket that is ready again.
    const opened = new AsyncResource('fw.stream');
    const begun: OrmPlugin[] = [];
    const from = process.hrtime.bigint();
    let failure: { readonly error: unknown } | undefined;
    try {
      await this.#begin(begun, context, sql);
      yield* run(session.connection, context.args);
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      // Here, because a reader may leave early.
      const nanos = process.hrtime.bigint() - from;
      const ending = opened.runInAsyncScope(() => this.#finish(begun, context, sql, nanos, failure?.error));
      await (failure === undefined ? ending : ending.catch(() => undefined));
    }
  }

  async #surrounded<Result>(context: QueryContext, sql: string, run: () => MaybePromise<Result>): Promise<Result> {
    const begun: OrmPlugin[] = [];
    const from = process.hrtime.bigint();
    let result: Result;
    try {
      await this.#begin(begun, context, sql);
      result = await run();
    } catch (error) {
      // The first error is the one to tell.
      await this.#finish(begun, context, sql, process.hrtime.bigint() - from, error).catch(() => undefined);
      throw error;
    }
    await this.#finish(begun, context, sql, process.hrtime.bigint() - from, undefined);
    return result;
  }

  async #begin(begun: OrmPlugin[], context: QueryContext, sql: string): Promise<void> {
    for (const plugin of this.plugins) {
      begun.push(plugin);
      await named(plugin, 'BeforeExecute', () => plugin.beforeExecute?.(context, sql, context.args));
    }
  }

  // Every plugin whose `beforeExecute` ran gets `afterExecute`, even if another one prevented the statement or throws.
  async #finish(
    begun: readonly OrmPlugin[],
    context: QueryContext,
    sql: string,
    nanos: bigint,
    error: unknown,
  ): Promise<void> {
    const failures: unknown[] = [];
    for (const plugin of begun) {
      const ending = named(plugin, 'AfterExecute', () => plugin.afterExecute?.(context, sql, nanos, error));
      await ending.catch((failure: unknown) => failures.push(failure));
    }
    if (failures.length > 0) throw failures[0];
  }
}

async function named(plugin: OrmPlugin, phase: string, run: () => MaybePromise<void> | undefined): Promise<void> {
  try {
    await run();
  } catch (error) {
    const reason = messageOf(error);
    throw fwError(ORM_ERRORS.FW_ORM_PLUGIN, { phase, plugin: plugin.name(), reason }, { cause: error });
  }
}
