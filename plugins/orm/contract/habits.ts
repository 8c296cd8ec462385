import type { ColumnDefinition } from '../index.js';

/** A migration that makes the tables `notes` and `noted`, with a trigger: the row 'a;b' of `notes` makes 'begin; end' and "it's; done" in `noted`. */
export interface StoredPrograms {
  readonly up: string;
  readonly down: string;
}

/** Statements that make programs which name the column `age` of `v_people`, and others beside them; and what a diff says of these. */
export interface AgePrograms {
  readonly made: readonly string[];
  /** What takes them away again. */
  readonly gone: readonly string[];
  /** Beginnings of the warnings when the column goes. */
  readonly told: readonly string[];
  /** The same when it gets another name. */
  readonly toldOfRename: readonly string[];
}

/**
 * Facts about a database that the tests need, and its inherent differences. Nothing is skipped silently: the suite asks for a reason where
 * a needed fact is missing.
 */
export interface DialectHabits {
  /** An expression that takes so many seconds, and that can be interrupted; missing where nothing can. */
  sleep?(seconds: number): string;
  /** Statement that sets the next number of a table's counted key `id`; missing where it always follows the highest. */
  countFrom?(table: string, next: bigint): string;
  /** Whether a failing statement ends its transaction, unless a savepoint around it is rolled back. Default false. */
  readonly failureEndsTransaction?: boolean;
  /** Whether columns take values beyond their size, as those of SQLite do. Default false. */
  readonly keepsAnyValue?: boolean;
  /** Whether an upsert can keep an existing row by a condition. Default true. */
  readonly conditionalUpsert?: boolean;
  /** Whether the database has only one connection, so that no other can hold a lock. Default false. */
  readonly onlyConnection?: boolean;
  /** Features that it refuses with `FW_ORM_UNSUPPORTED`; the tests check the refusal. */
  readonly refuses?: readonly (
    | 'array operators'
    | 'exceptAll'
    | 'full join'
    | 'limited union of an outer column'
    | 'lock of some tables'
    | 'percentiles'
    | 'places of JSON from the end'
    | 'returned value of two tables'
    | 'swap of columns'
    | 'tuples in a query'
    | 'union of decimals'
  )[];
  /**
   * Collations that it has: one that tells capital letters apart and has them before all others, and one that has them beside; `equates`
   * is false where the latter still finds them different. Missing where it has no names for them.
   */
  readonly collations?: { readonly exact: string; readonly caseless: string; readonly equates?: boolean };
  /** Whether whole numbers of raw SQL may come as bigints, by the release, beside a column of 64 bits. Default false. */
  readonly rawLongs?: boolean;
  /** Statements with which a transaction locks tables; missing where an open transaction blocks every writer. */
  holdTables?(tables: readonly string[]): { readonly take: string; readonly giveBack?: string };
  /** Scripts with nested statements and semicolons inside of statements, as in migrations; each notes two rows for one. */
  readonly programs?: readonly StoredPrograms[];
  /** Triggers, functions and the like on tables of the tests; missing where a diff says nothing of them. */
  readonly agePrograms?: AgePrograms;
  /** How a column is declared that keeps six digits of a second; missing where moments have three. */
  readonly finerMoments?: Partial<ColumnDefinition>;
  /** Whether an upsert that updates names its unique key. Default false. */
  readonly upsertNeedsKey?: boolean;
  /** Whether the database itself refuses an upsert by columns that it has no unique key of. Default false. */
  readonly asksForKey?: boolean;
}
