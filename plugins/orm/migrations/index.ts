export { migrateArguments, type MigrateArguments, usage as migrateUsage } from './arguments.js';
export { runMigrateCommand, writeNewMigration, type MigrateCommand, type MigrationsPlace } from './cli.js';
export type { HalfDone, Migration, MigrationContext, MigrationStatus, MigrationStep, Resolution } from './migration.js';
export { readMigrations } from './migration-files.js';
export { Migrations, migrations, type MigrationsLimit, type MigrationsOptions } from './migrations.js';
