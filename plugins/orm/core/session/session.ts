import type { Database } from './database.js';
import type { SqlConnection } from './sql-handle.js';

/** Where queries run: a database, or a transaction of one. `model(session, User)` takes either. */
export interface Session {
  readonly database: Database;
  /** The connection that statements run on. */
  readonly connection: SqlConnection;
  /**
   * Runs `callback` once what was done is durable: at once outside of a transaction, else after the outermost commit. What it
   * throws is told by `FW_ORM_AFTER_COMMIT`: to the caller of `transaction.run`, or outside of a transaction by a warning of the process.
   */
  afterCommit(callback: () => void | Promise<void>): void;
}

/** Options of a call that creates rows. */
export interface CreateOptions extends CallOptions {
  /**
   * Whether columns that the database counts are written as they are given, each row with its own, as an import has them. The
   * numbers that the database gives afterwards are behind them. Default false: then they are left out of the INSERT.
   */
  readonly keepKeys?: boolean;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; overrides the default timeout. 0 for never. */
  readonly timeout?: number;
}
