/**
 * What the tests must know of a database to bring it where they want it, and what of it differs by its nature. Nothing that is said
 * here is left out silently: the suite asks for a reason where a habit that tests need is missing.
 */
export interface DialectHabits {
  /** An expression that takes so many seconds, and that can be interrupted; missing where nothing can. */
  sleep?(seconds: number): string;
  /** Statement after which the counted key `id` of a table goes on with a number; missing where it goes on behind the highest. */
  countFrom?(table: string, next: bigint): string;
  /** Whether a statement that fails ends its transaction, but for what a savepoint around it undoes. Default false. */
  readonly failureEndsTransaction?: boolean;
  /** Whether columns take values beyond their size, as those of SQLite do. Default false. */
  readonly keepsAnyValue?: boolean;
  /** Whether an upsert can spare a row that is there, by a condition. Default true. */
  readonly conditionalUpsert?: boolean;
  /** Whether the whole database has one connection, so that nobody else can hold a lock. Default false. */
  readonly onlyConnection?: boolean;
  /** Whether an upsert that updates names its unique key. Default false. */
  readonly upsertNeedsKey?: boolean;
}
