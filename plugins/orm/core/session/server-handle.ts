import { fwError, isFwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import type { PositionalRow } from '../model/model-definition.js';
import { assertMilliseconds, assertWhole } from './checked-options.js';
import { ConnectionPool, type PooledConnections } from './connection-pool.js';
import { limitsAfter, withinDeadline, type Limits } from './deadline.js';
import type {
  HandleStats,
  MaybePromise,
  ReservedConnection,
  SqlConnection,
  SqlHandle,
  SqlTransactionConnection,
  StatementOptions,
  TransactionOptions,
  WriteResult,
} from './sql-handle.js';

/** One connection to a server, as an adapter brings it. Statements on it run one after the other. */
export interface ServerConnection extends SqlConnection {
  begin(options: TransactionOptions): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  savepoint(name: string): Promise<void>;
  release(name: string): Promise<void>;
  rollbackTo(name: string): Promise<void>;
  /** Ends the running statement, and refuses waiting ones, because the transaction is given up. */
  interrupt(reason: Error): Promise<void>;
  /** Closes the connection at once: waiting calls fail with `FW_ORM_CONNECTION`. */
  destroy(): void;
  readonly isUsable: boolean;
  readonly statementStats: HandleStats['statements'];
  end(): Promise<void>;
}

/** Options that all servers share. */
export interface ServerOptions {
  /** Most connections. Default 10. */
  readonly connections?: number;
  /** Milliseconds that a call waits for a connection while all are in use; 0 for as long as it takes. Default 10 000. */
  readonly acquireTimeout?: number;
  /** Prepared statements kept per connection. Default 512. Without effect on SQL Server, which caches plans by text. */
  readonly stmtCacheSize?: number;
  /** Milliseconds to connect. Default 10 000. */
  readonly connectTimeout?: number;
}

/** Milliseconds to connect where nothing is said. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** A pool of connections as a handle; what the adapters of all servers share. */
export class ServerHandle<Connection extends ServerConnection> implements SqlHandle {
  readonly #pool: ConnectionPool<Connection>;
  readonly #all = new Set<Connection>();

  /** For connections made from then on; missing where they keep no prepared statements. */
  readonly setStmtCacheSize?: (size: number) => void;
  #stmtCacheSize: number;

  /**
   * @param connect - makes a connection that keeps so many prepared statements
   * @param options - `stmtCacheSize` is 0 for a server that keeps plans by itself
   * @throws FwError `FW_ORM_OPTIONS`
   */
  constructor(
    readonly driver: unknown,
    connect: (stmtCacheSize: number) => Promise<Connection>,
    { connections: size = 10, acquireTimeout = 10_000, stmtCacheSize = 512, connectTimeout }: ServerOptions,
  ) {
    assertWhole('connections', size, 1);
    assertMilliseconds('acquireTimeout', acquireTimeout);
    assertWhole('stmtCacheSize', stmtCacheSize, 0);
    assertMilliseconds('connectTimeout', connectTimeout);
    this.#stmtCacheSize = stmtCacheSize;
    if (stmtCacheSize > 0) this.setStmtCacheSize = (given) => (this.#stmtCacheSize = given);
    const connections: PooledConnections<Connection> = {
      connect: async () => {
        const made = await connect(this.#stmtCacheSize);
        this.#all.add(made);
        return made;
      },
      end: (connection) => {
        this.#all.delete(connection);
        return connection.end();
      },
      isUsable: (connection) => connection.isUsable,
    };
    this.#pool = new ConnectionPool(connections, size, acquireTimeout);
  }

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions): Promise<readonly PositionalRow[]> {
    return this.#run(options, (on, left) => on.query(sql, parameters, left));
  }

  queryFirst(
    sql: string,
    parameters: readonly unknown[],
    options?: StatementOptions,
  ): Promise<PositionalRow | undefined> {
    return this.#run(options, (on, left) => on.queryFirst(sql, parameters, left));
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): Promise<WriteResult> {
    return this.#run(options, (on, left) => on.execute(sql, parameters, left));
  }

  script(sql: string, options?: StatementOptions): Promise<void> {
    return this.#run(options, (on, left) => on.script(sql, left));
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    const connection = await this.#pool.take(options);
    try {
      yield* connection.stream(sql, parameters, options);
    } finally {
      this.#pool.give(connection);
    }
  }

  async begin(options: TransactionOptions): Promise<SqlTransactionConnection> {
    const from = performance.now();
    const connection = await this.#pool.take(options);
    try {
      await begun(connection, limitsAfter(options, from));
      return new ServerTransaction(connection, () => this.#pool.give(connection));
    } catch (error) {
      this.#pool.give(connection);
      throw error;
    }
  }

  async reserve(): Promise<ReservedConnection> {
    const connection = await this.#pool.take();
    return {
      connection,
      begin: async (options) => {
        await begun(connection, options);
        return new ServerTransaction(connection, () => undefined);
      },
      giveBack: () => this.#pool.give(connection),
    };
  }

  async ping(limits?: Limits): Promise<void> {
    await this.query('SELECT 1', [], limits);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  stats(): HandleStats {
    const statements = { size: 0, hits: 0, misses: 0, evicted: 0 };
    for (const { statementStats } of this.#all) {
      for (const key of Object.keys(statements) as (keyof typeof statements)[]) statements[key] += statementStats[key];
    }
    return { statements, connections: this.#pool.stats };
  }

  async #run<Result>(
    options: StatementOptions | undefined,
    work: (on: Connection, options: StatementOptions | undefined) => MaybePromise<Result>,
  ): Promise<Result> {
    const idle = this.#pool.takeIdle();
    const from = idle === undefined ? performance.now() : 0;
    const connection = idle ?? (await this.#pool.take(options));
    try {
      // The deadline of a call is one for the wait and the statement together.
      return await work(connection, idle === undefined && options !== undefined ? limitsAfter(options, from) : options);
    } finally {
      this.#pool.give(connection);
    }
  }
}

// After a BEGIN without a response it is unknown whether the next statement would be inside of the transaction, so the connection is
// closed.
function begun(connection: ServerConnection, options: TransactionOptions): Promise<void> {
  return withinDeadline(connection.begin(options), options, async () => connection.destroy());
}

/**
 * Milliseconds that the end of a transaction still has after an abort: a sent COMMIT cannot be taken back, and cutting it off at once would
 * often leave the outcome unknown.
 */
const ABORT_GRACE_MS = 1000;

class ServerTransaction implements SqlTransactionConnection {
  isIntact = true;

  constructor(
    private readonly on: ServerConnection,
    private readonly giveBack: () => void,
  ) {}

  query(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    return this.#watched(this.on.query(sql, parameters, options));
  }

  queryFirst(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    return this.#watched(this.on.queryFirst(sql, parameters, options));
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions) {
    return this.#watched(this.on.execute(sql, parameters, options));
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    try {
      yield* this.on.stream(sql, parameters, options);
    } catch (error) {
      this.isIntact = false;
      throw error;
    }
  }

  script(sql: string, options?: StatementOptions) {
    return this.#watched(this.on.script(sql, options));
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

  interrupt(reason: Error): Promise<void> {
    return this.on.interrupt(reason);
  }

  // If the connection was lost before, nothing was committed; after COMMIT was sent, only the server's response decides.
  async commit(limits: Limits = {}): Promise<void> {
    const couldBeAsked = this.on.isUsable;
    await this.#ended(() => this.on.commit(), limits).catch((error: unknown) => {
      if (!couldBeAsked || !isFwError(error) || error.code !== 'FW_ORM_CONNECTION') throw error;
      const { dialect } = error.details;
      throw fwError(ORM_ERRORS.FW_ORM_COMMIT_UNKNOWN, { dialect }, { cause: error });
    });
  }

  // Without the connection the server rolls back by itself, so only the connection is lost. A short timeout, which was meant for
  // statements, should not cost a connection.
  async rollback({ timeout = 0, signal }: Limits = {}): Promise<void> {
    await this.#ended(() => this.on.rollback(), {
      timeout: timeout > 0 ? Math.max(timeout, ABORT_GRACE_MS) : 0,
      signal,
    });
  }

  // Observes the result before the caller does.
  #watched<Result>(running: MaybePromise<Result>): MaybePromise<Result> {
    if (running instanceof Promise) running.catch(() => (this.isIntact = false));
    return running;
  }

  // Without a response in time the connection is closed, because its state is unknown.
  async #ended(end: () => Promise<void>, { timeout = 0, signal }: Limits): Promise<void> {
    const timers: NodeJS.Timeout[] = [];
    const within = (patience: number) => timers.push(setTimeout(() => this.on.destroy(), patience));
    const onAbort = () => within(ABORT_GRACE_MS);
    if (timeout > 0) within(timeout);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await end();
    } finally {
      timers.forEach(clearTimeout);
      signal?.removeEventListener('abort', onAbort);
      this.giveBack();
    }
  }
}
