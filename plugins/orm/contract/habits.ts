import type { ColumnDefinition } from '../index.js';

/** A migration that makes the tables `notes` and `noted`, with a trigger: the row 'a;b' of `notes` makes 'begin; end' and "it's; done" in `noted`. */
export interface StoredPrograms {
  readonly up: string;
  readonly down: string;
}

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
  /** What it refuses by its nature, with `FW_ORM_UNSUPPORTED`; the tests hold it to that, too. */
  readonly refuses?: readonly (
    'full join' | 'limited union of an outer column' | 'swap of columns' | 'tuples in a query' | 'union of decimals'
  )[];
  /** Whether whole numbers of raw SQL may come as bigints, by the release, beside a column of 64 bits. Default false. */
  readonly rawLongs?: boolean;
  /** Statements with which a transaction keeps everybody else from tables; missing where an open one keeps out all that write. */
  holdTables?(tables: readonly string[]): { readonly take: string; readonly giveBack?: string };
  /** Scripts whose statements hold others, and semicolons that end none, as migrations may have them; each notes two rows for one. */
  readonly programs?: readonly StoredPrograms[];
  /** How a column is declared that keeps six digits of a second; missing where moments have three. */
  readonly finerMoments?: Partial<ColumnDefinition>;
  /** Whether an upsert that updates names its unique key. Default false. */
  readonly upsertNeedsKey?: boolean;
}
