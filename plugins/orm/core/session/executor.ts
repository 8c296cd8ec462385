import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { OrmPlugin, QueryContext } from '../plugin/orm-plugin.js';
import type { MaybePromise, SqlConnection, StatementOptions } from './sql-handle.js';
import type { Session } from './session.js';

/** Runs one statement on a connection. */
export type RunStatement<Result> = (
  connection: SqlConnection,
  sql: string,
  parameters: readonly unknown[],
  options: StatementOptions | undefined,
) => MaybePromise<Result>;

/**
 * Runs statements, with the plugins of the database around each. Without plugins a statement costs nothing beside itself.
 */
export class Executor {
  readonly #hasPlugins: boolean;

  constructor(
    private readonly plugins: readonly OrmPlugin[],
    private readonly now: () => bigint = () => process.hrtime.bigint(),
  ) {
    this.#hasPlugins = plugins.length > 0;
  }

  /** Runs one statement. */
  run<Result>(
    session: Session,
    model: string | undefined,
    statement: {
      readonly sql: string;
      readonly parameters: readonly unknown[];
      readonly options: StatementOptions | undefined;
    },
    run: RunStatement<Result>,
  ): MaybePromise<Result> {
    const { sql, parameters, options } = statement;
    if (!this.#hasPlugins) return run(session.connection, sql, parameters, options);
    const context: QueryContext = { session, model, args: parameters, store: new Map() };
    return this.#surrounded(context, sql, () => run(session.connection, sql, context.args, options));
  }

  async #surrounded<Result>(context: QueryContext, sql: string, run: () => MaybePromise<Result>): Promise<Result> {
    const begun: OrmPlugin[] = [];
    const from = this.now();
    let result: Result;
    try {
      for (const plugin of this.plugins) {
        begun.push(plugin);
        await named(plugin, 'BeforeExecute', () => plugin.beforeExecute?.(context, sql, context.args));
      }
      result = await run();
    } catch (error) {
      // The first error is the one to tell.
      await this.#finish(begun, context, sql, this.now() - from, error).catch(() => undefined);
      throw error;
    }
    await this.#finish(begun, context, sql, this.now() - from, undefined);
    return result;
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
    const reason = error instanceof Error ? error.message : String(error);
    throw fwError(ORM_ERRORS.FW_ORM_PLUGIN, { phase, plugin: plugin.name(), reason }, { cause: error });
  }
}
