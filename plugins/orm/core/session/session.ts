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

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds; overrides the default timeout. */
  readonly timeout?: number;
}
