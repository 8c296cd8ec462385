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
  /** Digest of the text, for migrations from files; a later change of the text is warned about. */
  readonly checksum?: string;
}

/** What is known about one migration. */
export interface MigrationStatus {
  readonly version: string;
  readonly name: string;
  readonly state: 'pending' | 'applied' | 'changed' | 'missing';
  readonly appliedAt: Date | null;
}
