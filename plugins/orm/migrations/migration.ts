import type { Database, Transaction } from '../core/index.js';

/** What a step is told about the run that it is part of. */
export interface MigrationContext {
  readonly version: string;
  readonly name: string;
  readonly direction: 'up' | 'down';
  readonly db: Database;
}

/** One step of a migration; `tx` takes models and SQL alike (`model(tx, User)`, `tx.script('...')`). */
export type MigrationStep = (context: MigrationContext, tx: Transaction) => Promise<void> | void;

/** A migration (SPEC "ORM values"). Versions are compared as text, so use a fixed width, such as a timestamp. */
export interface Migration {
  readonly version: string;
  readonly name: string;
  readonly up?: MigrationStep;
  readonly down?: MigrationStep;
  /** Runs after `up`, in the same transaction. */
  readonly seed?: MigrationStep;
  /**
   * False: SQLite looks at foreign keys once, behind the migration and not at every statement of it, for migrations that build
   * tables anew. A SQL file says it by `PRAGMA foreign_keys = OFF`.
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
  /** Present while it is half done, on its way up (`pending`) or down (`applied`). */
  readonly half?: HalfDone;
}

/** How far a migration has come that was cut off. */
export interface HalfDone {
  readonly direction: MigrationContext['direction'];
  /** Statements that are done. */
  readonly done: number;
  /** Begin of a statement of which nobody knows whether it was done. */
  readonly inDoubt?: string;
}

/** What a person says became of a migration that was cut off. */
export type Resolution = 'done' | 'undone' | 'applied' | 'rolled-back';
