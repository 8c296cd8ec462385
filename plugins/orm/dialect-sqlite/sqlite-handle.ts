import type BetterSqlite3 from 'better-sqlite3';
import { fwError, isFwError } from '../../../kernel/index.js';
import {
  assertWanted,
  callingConnection,
  limitsAfter,
  ORM_ERRORS,
  type HandleFacts,
  type HandleStats,
  type Limits,
  type MaybePromise,
  type PositionalRow,
  type SqlHandle,
  type SqlTransactionConnection,
  type StatementOptions,
  type TransactionOptions,
  type WriteResult,
} from '../dialect/index.js';
import { SqliteConnection } from './sqlite-connection.js';
import { betterSqlite3, type SqliteClient, type SqliteDatabase } from './sqlite-database.js';
import { sqliteError } from './sqlite-errors.js';
import { portions, SqliteTransaction } from './sqlite-transaction.js';
import { WriterLane } from './writer-lane.js';

/** Options of a SQLite handle. */
export interface SqliteHandleOptions {
  /** Prepared statements kept per connection. Default 512. */
  readonly stmtCacheSize?: number;
  /** Milliseconds that a call waits for an open transaction, or for another process that writes. Default 5000. */
  readonly busyTimeout?: number;
}

const DEFAULT_STATEMENTS = 512;
/** Milliseconds of {@link SqliteHandleOptions.busyTimeout} where nothing is said. */
export const DEFAULT_BUSY_TIMEOUT = 5000;

/**
 * SQLite through better-sqlite3 or a compatible driver. Reads answer at once from the main connection. Transactions have a connection of
 * their own, so nothing from outside slips into them; writes from outside wait for their end. A database in memory has one connection only,
 * so there reads wait too. A call on the handle from a transaction's function would wait for itself, or read uncommitted changes, so it is
 * refused at once.
 */
export class SqliteHandle<Driver = BetterSqlite3.Database> implements SqlHandle {
  readonly driver: Driver;
  /** What SQLite is reached through, and its version. */
  readonly about: HandleFacts;
  readonly #client: SqliteClient<Driver>;
  readonly #database: SqliteDatabase;
  readonly #main: SqliteConnection;
  #writer: SqliteConnection | undefined;
  readonly #lane: WriterLane;
  /** Whether the database is in memory and has no second connection. Cached, because the driver is slow to tell. */
  readonly #isShared: boolean;
  #settings: Required<SqliteHandleOptions>;
  #open = true;
  #closing: Promise<void> | undefined;

  constructor(
    database: SqliteDatabase,
    options: SqliteHandleOptions = {},
    // What opens further connections; of a database of better-sqlite3 its own class.
    client: SqliteClient<Driver> = betterSqlite3(database.constructor as never) as SqliteClient<never>,
  ) {
    const { stmtCacheSize = DEFAULT_STATEMENTS, busyTimeout = DEFAULT_BUSY_TIMEOUT } = options;
    this.#settings = { stmtCacheSize, busyTimeout };
    this.#client = client;
    this.#database = database;
    this.driver = client.nativeOf(database);
    this.about = { driver: client.name, version: versionOf(database) };
    this.#isShared = database.memory;
    this.#main = new SqliteConnection(database, stmtCacheSize, busyTimeout);
    this.#lane = new WriterLane(busyTimeout);
  }

  query(
    sql: string,
    parameters: readonly unknown[],
    options?: StatementOptions,
  ): MaybePromise<readonly PositionalRow[]> {
    if (!this.#lane.isFree) return this.#reading((left) => this.#main.all(sql, parameters, left), options);
    return this.#main.all(sql, parameters, options);
  }

  queryFirst(
    sql: string,
    parameters: readonly unknown[],
    options?: StatementOptions,
  ): MaybePromise<PositionalRow | undefined> {
    if (!this.#lane.isFree) return this.#reading((left) => this.#main.get(sql, parameters, left), options);
    return this.#main.get(sql, parameters, options);
  }

  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): MaybePromise<WriteResult> {
    if (!this.#lane.isFree) return this.#inLane((left) => this.#main.run(sql, parameters, left), options);
    return this.#main.run(sql, parameters, options);
  }

  script(sql: string, options?: StatementOptions): MaybePromise<void> {
    if (!this.#lane.isFree) return this.#inLane((left) => this.#main.script(sql, left), options);
    return this.#main.script(sql, options);
  }

  async *stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncGenerator<readonly PositionalRow[]> {
    // A connection can do nothing else while it iterates; a database in memory has no second one and is read at once.
    if (this.#isShared) return yield* portions(await this.query(sql, parameters, options), options);
    this.#assertOpen();
    this.#assertOutside();
    assertWanted(options.signal);
    const own = this.#connect();
    try {
      const statement = own.driver
        .prepare(sql)
        .raw(true)
        .safeIntegers(options.bigints === true);
      yield* portions(statement.iterate(...parameters) as Iterable<PositionalRow>, options);
    } catch (error) {
      throw isFwError(error) ? error : sqliteError(error, sql);
    } finally {
      own.close();
    }
  }

  begin(options: TransactionOptions): MaybePromise<SqlTransactionConnection> {
    this.#assertOpen();
    this.#assertOutside();
    if (!this.#lane.isFree) return this.#beginLater(options);
    this.#lane.take();
    return this.#begin(options);
  }

  async #beginLater(options: TransactionOptions): Promise<SqlTransactionConnection> {
    const from = performance.now();
    await this.#lane.enter(options);
    return this.#begin(limitsAfter(options, from));
  }

  // Written out, as `commit` is: closures for what seldom happens take longer here than the statement.
  #begin(options: TransactionOptions): MaybePromise<SqlTransactionConnection> {
    const readOnly = options.readOnly === true;
    try {
      const connection = this.#isShared ? this.#main : (this.#writer ??= this.#connect());
      const begun = readOnly ? connection.control('BEGIN', options) : connection.begin(options);
      if (begun === undefined) return this.#begun(connection, readOnly);
      return begun.then(() => this.#begun(connection, readOnly)).catch((error: unknown) => this.#notBegun(error));
    } catch (error) {
      return this.#notBegun(error);
    }
  }

  #begun(connection: SqliteConnection, readOnly: boolean): SqlTransactionConnection {
    if (readOnly) connection.driver.pragma('query_only = 1');
    return new SqliteTransaction(connection, readOnly, this.#lane);
  }

  #notBegun(error: unknown): never {
    this.#lane.leave();
    throw error;
  }

  async ping(limits?: Limits): Promise<void> {
    this.#assertOpen();
    await this.query('SELECT 1', [], limits);
  }

  async close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing;
    this.#assertOutside();
    this.#open = false;
    this.#closing = this.#end();
    try {
      await this.#closing;
    } catch (error) {
      // A later call can close what is still open.
      this.#closing = undefined;
      throw error;
    }
  }

  async #end(): Promise<void> {
    if (this.#lane.isFree) this.#lane.take();
    else await this.#lane.enter();
    try {
      this.#writer?.close();
      this.#main.close();
    } finally {
      this.#lane.leave();
    }
  }

  setStmtCacheSize(stmtCacheSize: number): void {
    this.#settings = { ...this.#settings, stmtCacheSize };
    this.#main.setStmtCacheSize(stmtCacheSize);
    this.#writer?.setStmtCacheSize(stmtCacheSize);
  }

  stats(): HandleStats {
    const main = this.#main.statementStats;
    const writer = this.#writer?.statementStats ?? { size: 0, hits: 0, misses: 0, evicted: 0 };
    return {
      statements: {
        size: main.size + writer.size,
        hits: main.hits + writer.hits,
        misses: main.misses + writer.misses,
        evicted: main.evicted + writer.evicted,
      },
      connections: {
        open: this.#open ? (this.#writer ? 2 : 1) : 0,
        idle: this.#open ? 1 : 0,
        waiting: this.#lane.waiting,
      },
    };
  }

  // A file has a connection for reads that a transaction does not hold.
  #reading<Result>(
    read: (options: StatementOptions | undefined) => MaybePromise<Result>,
    options: StatementOptions | undefined,
  ): MaybePromise<Result> {
    if (this.#isShared) return this.#inLane(read, options);
    this.#assertOpen();
    this.#assertOutside();
    return read(options);
  }

  // The deadline of a call is one for the wait and the statement together.
  async #inLane<Result>(
    work: (options: StatementOptions | undefined) => MaybePromise<Result>,
    options: StatementOptions | undefined,
  ): Promise<Result> {
    this.#assertOpen();
    this.#assertOutside();
    const from = performance.now();
    await this.#lane.enter(options);
    try {
      return await work(options && limitsAfter(options, from));
    } finally {
      this.#lane.leave();
    }
  }

  // A second connection to the same file, with the settings of the first that belong to a connection.
  #connect(): SqliteConnection {
    const made = this.#client.open(this.#database.name, { fileMustExist: true });
    for (const pragma of ['foreign_keys', 'synchronous', 'cache_size', 'recursive_triggers']) {
      made.pragma(`${pragma} = ${String(this.#database.pragma(pragma, { simple: true }))}`);
    }
    return new SqliteConnection(made, this.#settings.stmtCacheSize, this.#settings.busyTimeout);
  }

  #assertOutside(): void {
    const caller = callingConnection();
    if (caller instanceof SqliteTransaction && caller.lane === this.#lane)
      throw fwError(ORM_ERRORS.FW_ORM_OUTSIDE_TRANSACTION, {});
  }

  #assertOpen(): void {
    if (!this.#open) throw fwError(ORM_ERRORS.FW_ORM_CLOSED, {});
  }
}

const versionOf = (database: SqliteDatabase): string =>
  String((database.prepare('SELECT sqlite_version()').raw(true).get() as [string])[0]);
