import type BetterSqlite3 from 'better-sqlite3';

/** What the dialect asks of a connection to SQLite: a part of better-sqlite3, which others stand in for. */
export interface SqliteDatabase {
  readonly memory: boolean;
  /** Path of the file, as it was opened. */
  readonly name: string;
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  close(): unknown;
}

/** A prepared statement. */
export interface SqliteStatement {
  /** Whether it gives rows. */
  readonly reader: boolean;
  /** Rows as lists of values, in the order of their columns. */
  raw(toggle: boolean): this;
  /** Whole numbers as bigints. */
  safeIntegers(toggle: boolean): this;
  all(...parameters: unknown[]): unknown[];
  get(...parameters: unknown[]): unknown;
  run(...parameters: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  iterate(...parameters: unknown[]): Iterable<unknown>;
}

/** A program that talks to SQLite, and how its databases are opened. */
export interface SqliteClient<Driver = unknown> {
  /** As `client` names it. */
  readonly name: string;
  /** @throws what the driver throws */
  open(file: string, options?: { readonly fileMustExist?: boolean }): SqliteDatabase;
  /** The driver's own object, for what the dialect does not cover. */
  nativeOf(database: SqliteDatabase): Driver;
}

/** better-sqlite3, once its package is loaded. */
export const betterSqlite3 = (Driver: typeof BetterSqlite3): SqliteClient<BetterSqlite3.Database> => ({
  name: 'better-sqlite3',
  // Waiting for locks would block the process; the connection waits itself.
  open: (file, options) => new Driver(file, { timeout: 0, ...options }) as SqliteDatabase,
  nativeOf: (database) => database as BetterSqlite3.Database,
});
