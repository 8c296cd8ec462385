import type { PositionalRow } from '../model/model-definition.js';
import type { Limits } from './deadline.js';
import type { ISOLATION_LEVELS, WordOf } from '../plan/words.js';

/** A value or a promise of it. Synchronous drivers (SQLite) need no await. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** How one statement is to be run. */
export interface StatementOptions {
  /** Read 64-bit integers without loss, as bigint or text. */
  readonly bigints?: boolean | undefined;
  /** Positions of the columns whose values become a `Date`; given to dialects that are told (`Dialect.toldOfDates`). */
  readonly dates?: readonly number[] | undefined;
  /** Not kept prepared, e.g. the last, shorter statement of a batch. */
  readonly once?: boolean | undefined;
  /** Milliseconds until the statement is given up; 0 for never. */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a writing statement did. */
export interface WriteResult {
  readonly affected: number;
  /** Key that the database generated, when the driver tells. */
  readonly insertId?: number | bigint | undefined;
  /** Rows of RETURNING or OUTPUT. */
  readonly rows?: readonly PositionalRow[] | undefined;
}

/** Where statements run: the handle itself, or the connection of a transaction. */
export interface SqlConnection {
  /** Rows by position. */
  query(
    sql: string,
    parameters: readonly unknown[],
    options?: StatementOptions,
  ): MaybePromise<readonly PositionalRow[]>;
  /** The first row, or undefined. */
  queryFirst(
    sql: string,
    parameters: readonly unknown[],
    options?: StatementOptions,
  ): MaybePromise<PositionalRow | undefined>;
  /** Runs a statement that writes. */
  execute(sql: string, parameters: readonly unknown[], options?: StatementOptions): MaybePromise<WriteResult>;
  /** Rows in portions, read as they are asked for; the connection is busy until the iteration ends. */
  stream(
    sql: string,
    parameters: readonly unknown[],
    options: StatementOptions & { readonly batchSize: number },
  ): AsyncIterable<readonly PositionalRow[]>;
  /** Runs SQL text of several statements, as migrations need it. Never built from input. The timeout is for all of them. */
  script(sql: string, options?: StatementOptions): MaybePromise<void>;
}

export type IsolationLevel = WordOf<typeof ISOLATION_LEVELS>;

/** Options of a transaction. */
export interface TransactionOptions {
  /** The database's default when left out. */
  readonly isolation?: IsolationLevel;
  readonly readOnly?: boolean;
  /**
   * Milliseconds for each attempt, after which it is rolled back. Getting a connection and beginning has the same limit before that, and
   * the response to COMMIT after it.
   */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** A connection inside a transaction. Exactly one of `commit` and `rollback` ends it and gives the connection back. */
export interface SqlTransactionConnection extends SqlConnection {
  /** Whether the handle tracks the calling function, to refuse calls that would wait for their own caller. */
  readonly followsCalls?: boolean;
  /** Fails with `FW_ORM_COMMIT_UNKNOWN` when COMMIT was sent and its response is lost or late: the connection is not used again then. */
  commit(limits?: Limits): MaybePromise<void>;
  /** When the limits are exceeded, the connection is not used again, and the server rolls back by itself. */
  rollback(limits?: Limits): MaybePromise<void>;
  /**
   * Ends what is running and refuses what waits behind it, before the rollback of a transaction that is past its deadline or aborted;
   * missing if statements are synchronous.
   */
  interrupt?(reason: Error): Promise<void>;
  savepoint(name: string): MaybePromise<void>;
  release(name: string): MaybePromise<void>;
  /**
   * Whether no statement has failed so far. The last savepoint is then released by the commit, which saves a round trip;
   * after a failure `release` is called at once, because it tells whether the database has kept the transaction.
   */
  readonly isIntact?: boolean;
  rollbackTo(name: string): MaybePromise<void>;
}

/** A connection that one caller keeps from transaction to transaction, with what belongs to its session, such as locks. */
export interface ReservedConnection {
  readonly connection: SqlConnection;
  /** Opens a transaction on it; the end of the transaction leaves it reserved. */
  begin(options: TransactionOptions): Promise<SqlTransactionConnection>;
  /** Gives it back. */
  giveBack(): void;
}

/** Statistics for the `orm` probe. */
export interface HandleStats {
  readonly statements: {
    readonly size: number;
    readonly hits: number;
    readonly misses: number;
    readonly evicted: number;
  };
  readonly connections: { readonly open: number; readonly idle: number; readonly waiting: number };
}

/** Driver and version behind a handle, to compare two machines. */
export interface HandleFacts {
  /** As it is imported. */
  readonly driver: string;
  /** Version of the database. */
  readonly version: string;
}

/**
 * A database as the ORM sees it, free of any driver. `fw/orm/sqlite`, `fw/orm/postgres`, `fw/orm/mysql` and
 * `fw/orm/sqlserver` make one from their drivers; a third party may bring another.
 */
export interface SqlHandle extends SqlConnection {
  /** The driver's own object, for what this contract does not cover. */
  readonly driver: unknown;
  /** Missing if it would need a query. */
  readonly about?: HandleFacts;
  /** Opens a transaction; statements from outside do not run in it. */
  begin(options: TransactionOptions): MaybePromise<SqlTransactionConnection>;
  /** Keeps a connection for the caller; missing where nothing belongs to a session. */
  reserve?(): Promise<ReservedConnection>;
  /** Succeeds when the database answers, within the limits. */
  ping(limits?: Limits): Promise<void>;
  /** Resolves when every statement and connection is released; a second call does nothing. */
  close(): Promise<void>;
  stats(): HandleStats;
  /** Changes how many prepared statements a connection keeps; missing where the handle keeps none. */
  setStmtCacheSize?(size: number): void;
}
