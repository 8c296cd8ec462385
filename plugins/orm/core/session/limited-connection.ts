import { setMaxListeners } from 'node:events';
import { assertWanted, withinDeadline, type Limits } from './deadline.js';
import type { SqlTransactionConnection, StatementOptions } from './sql-handle.js';
import { anySignal } from '../../../../kernel/contracts/any-signal.js';

/**
 * The connection of a transaction for a savepoint with its own limits: when they are exceeded, the waiting and running statements of the
 * savepoint are aborted, and no others.
 */
export class LimitedConnection implements SqlTransactionConnection {
  readonly #past = new AbortController();

  constructor(
    private readonly on: SqlTransactionConnection,
    private readonly limits: Limits,
  ) {
    // Every running statement adds a listener; more than ten would cause a warning about a leak.
    setMaxListeners(0, this.#past.signal);
  }

  get isIntact(): boolean {
    return this.on.isIntact === true;
  }

  /**
   * Calls the function of the savepoint and waits for it, but not past the limits.
   *
   * @throws FwError `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  within<Result>(start: () => Promise<Result>): Promise<Result> {
    // The signal may have been aborted while the savepoint was begun.
    assertWanted(this.limits.signal);
    return withinDeadline(Promise.resolve(start()), this.limits, async () => this.#past.abort());
  }

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    return this.on.query(sql, parameters, this.#limited(options));
  }

  queryFirst(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    return this.on.queryFirst(sql, parameters, this.#limited(options));
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    return this.on.execute(sql, parameters, this.#limited(options));
  }

  stream(sql: string, parameters: readonly unknown[], options: StatementOptions & { readonly batchSize: number }) {
    return this.on.stream(sql, parameters, { ...options, ...this.#limited(options) });
  }

  script(sql: string, options?: StatementOptions) {
    return this.on.script(sql, this.#limited(options));
  }

  savepoint(name: string) {
    return this.on.savepoint(name);
  }

  release(name: string) {
    return this.on.release(name);
  }

  rollbackTo(name: string) {
    return this.on.rollbackTo(name);
  }

  commit(limits?: Limits) {
    return this.on.commit(limits);
  }

  rollback(limits?: Limits) {
    return this.on.rollback(limits);
  }

  #limited(options: StatementOptions | undefined): StatementOptions {
    const { signal } = this.#past;
    const own = options?.signal;
    return { ...options, signal: own === undefined ? signal : anySignal([own, signal]) };
  }
}
