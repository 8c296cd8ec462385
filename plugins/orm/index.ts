export * from './core/index.js';
export { default } from './orm-plugin.js';
export { createMissingTables, introspect, readMigrations, runDbPull, runMigrateCommand } from './deferred.js';
export { metrics, type QueryMetrics } from './metrics/index.js';
export { softDelete } from './soft-delete/index.js';
export { TENANT_ERRORS, tenant } from './tenant/index.js';
export { tracing, type QuerySpan, type QueryTracer } from './tracing/index.js';
export { Migrations, migrations, type MigrationsOptions } from './migrations/migrations.js';
export type {
  MigrateCommand,
  Migration,
  MigrationContext,
  MigrationStatus,
  MigrationStep,
} from './migrations/index.js';
export { diffSchema, type DiffOptions, type SchemaDiff } from './schema/schema-diff.js';
export type { ActualTable } from './schema/introspect.js';
export { declarationsOf, type PulledModel } from './db-pull/declarations.js';
export type { DbPullCommand } from './db-pull/index.js';
