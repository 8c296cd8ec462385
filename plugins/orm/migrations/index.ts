export { migrateRequest, type MigrateOptions, type MigrateRequest } from './arguments.js';
export {
  runMigrateCommand,
  writeNewMigration,
  type MigrateCommand,
  type MigrateFacts,
  type MigrationsPlace,
} from './cli.js';
export type {
  HalfDone,
  Migration,
  MigrationContext,
  MigrationStatus,
  MigrationStep,
  MoveContext,
  MoveStep,
  Resolution,
} from './migration.js';
export { type MigrationFiles, readMigrations } from './migration-files.js';
export type { BatchChange, BatchOptions, BatchRow, MoveProgress } from './batches.js';
export { noteTablesOf } from './step-table.js';
export { Migrations, migrations, type MigrationsLimit, type MigrationsOptions } from './migrations.js';
