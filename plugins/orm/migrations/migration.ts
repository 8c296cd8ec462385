import type { Database, Transaction } from '../core/index.js';
import type { BatchChange, BatchOptions } from './batches.js';

/** What a step receives about its run. */
export interface MigrationContext {
  readonly version: string;
  readonly name: string;
  readonly direction: 'up' | 'down';
  readonly db: Database;
}

/** One step of a migration; `tx` accepts models and SQL (`model(tx, User)`, `tx.script('...')`). */
export type MigrationStep = (context: MigrationContext, tx: Transaction) => Promise<void> | void;

/** What a step that moves data receives. */
export interface MoveContext extends MigrationContext {
  /**
   * Changes rows batch by batch, each in a transaction of its own; a run that was cut off goes on behind the last batch. @returns number of
   * rows, those of earlier runs among them
   *
   * @throws FwError `FW_MIGRATE_BATCH`, `FW_ORM_OPTIONS`
   * @example await context.batches({ table: 'pets', key: 'id', where: 'slug IS NULL' }, 'slug = lower(name)');
   */
  batches(options: BatchOptions, change: BatchChange): Promise<number>;
}

/** A step that moves data. It runs without a surrounding transaction; after an interruption it runs again from its beginning. */
export type MoveStep = (context: MoveContext) => Promise<void> | void;

/** A migration (SPEC "ORM values"). Versions are compared as text, so use a fixed width, such as a timestamp. */
export interface Migration {
  readonly version: string;
  readonly name: string;
  readonly up?: MigrationStep;
  readonly down?: MigrationStep;
  /** Runs after `up`, outside of a transaction, so that it can change many rows without locking all of them. */
  readonly move?: MoveStep;
  /** Runs after `up`, in the same transaction. */
  readonly seed?: MigrationStep;
  /**
   * False: SQLite checks foreign keys once after the migration, not at every statement; for migrations that rebuild tables. In a SQL file:
   * `PRAGMA foreign_keys = OFF`.
   */
  readonly foreignKeys?: boolean;
  /**
   * The SQL that `up`, `down` and `seed` run, for migrations from files: where the database commits each change of the schema, it is
   * run statement by statement, so that a run that was cut off goes on where it was.
   */
  readonly scripts?: Readonly<Partial<Record<'up' | 'down' | 'seed', string>>>;
  /** Digest of the text, for migrations from files; a later change of the text is warned about. */
  readonly checksum?: string;
}

/** What is known about one migration. */
export interface MigrationStatus {
  readonly version: string;
  readonly name: string;
  readonly state: 'pending' | 'applied' | 'changed' | 'missing';
  readonly appliedAt: Date | null;
  /** Present while the migration is half done, in direction up (`pending`) or down (`applied`). */
  readonly half?: HalfDone;
}

/** Progress of an interrupted migration. */
export interface HalfDone {
  readonly direction: MigrationContext['direction'];
  /** Number of statements that are done. */
  readonly done: number;
  /** Beginning of a statement that may or may not be done. */
  readonly inDoubt?: string;
}

/** A person's statement about the outcome of an interrupted migration. */
export type Resolution = 'done' | 'undone' | 'applied' | 'rolled-back';
