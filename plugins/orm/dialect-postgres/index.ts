export { openPostgres, type PostgresHandle, type PostgresOptions } from './open-postgres.js';
export { postgres } from './postgres-dialect.js';
