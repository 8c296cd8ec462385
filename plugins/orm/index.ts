export * from './core/index.js';
export { default } from './orm-plugin.js';
export { createMissingTables } from './schema/create-missing-tables.js';
export { metrics, type QueryMetrics } from './metrics/index.js';
export { softDelete } from './soft-delete/index.js';
export { TENANT_ERRORS, tenant } from './tenant/index.js';
export { tracing, type QuerySpan, type QueryTracer } from './tracing/index.js';
export {
  Migrations,
  migrations,
  readMigrations,
  runMigrateCommand,
  type MigrateCommand,
  type Migration,
  type MigrationStatus,
  type MigrationContext,
  type MigrationStep,
  type MigrationsOptions,
} from './migrations/index.js';
export { diffSchema, type DiffOptions, type SchemaDiff } from './schema/schema-diff.js';
export { introspect, type ActualTable } from './schema/introspect.js';
export { declarationsOf, runDbPull, type DbPullCommand, type PulledModel } from './db-pull/index.js';
