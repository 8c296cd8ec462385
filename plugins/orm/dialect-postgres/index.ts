export { openPostgres, type PostgresHandle, type PostgresOptions } from './open-postgres.js';
export { postgres } from './postgres-dialect.js';
export { postgresError } from './postgres-errors.js';
export { default } from './postgres-plugin.js';
