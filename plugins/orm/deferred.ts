import type { Database, ModelInfo } from './core/index.js';
import type { DbPullCommand } from './db-pull/index.js';
import type { MigrateCommand, Migration } from './migrations/index.js';
import type { ActualTable } from './schema/introspect.js';

// What a program does once, or a command does: loaded when it is called, because a program that only queries should not wait
// for it at its start.

/**
 * Reads the migrations of a folder: `<version>_<name>.up.sql` with `.down.sql` and `.seed.sql` beside it, and modules
 * `<version>_<name>.ts` (or `.js`) that export `up`, `down`, `seed`.
 *
 * @throws FwError `FW_MIGRATE_FILE`
 */
export async function readMigrations(folder: string): Promise<readonly Migration[]> {
  return (await import('./migrations/migration-files.js')).readMigrations(folder);
}

/**
 * Runs `fw migrate <subcommand>`. @returns the exit code
 *
 * @throws FwError `FW_MIGRATE_USAGE` and the errors of migrations
 */
export async function runMigrateCommand(command: MigrateCommand): Promise<number> {
  return (await import('./migrations/cli.js')).runMigrateCommand(command);
}

/** Runs `fw db pull`: writes a model declaration per table. @returns the exit code */
export async function runDbPull(command: DbPullCommand): Promise<number> {
  return (await import('./db-pull/cli.js')).runDbPull(command);
}

/** Reads the tables of the current schema, sorted by name. */
export async function introspect(db: Database): Promise<readonly ActualTable[]> {
  return (await import('./schema/introspect.js')).introspect(db);
}

/** Creates the tables that are not there yet. @returns their names */
export async function createMissingTables(db: Database, models: readonly ModelInfo[]): Promise<readonly string[]> {
  return (await import('./schema/create-missing-tables.js')).createMissingTables(db, models);
}
