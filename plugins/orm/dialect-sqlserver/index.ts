export { openSqlServer, type SqlServerHandle, type SqlServerOptions } from './open-sqlserver.js';
export { sqlserver } from './sqlserver-dialect.js';
export { sqlserverError } from './sqlserver-errors.js';
export { default } from './sqlserver-plugin.js';
