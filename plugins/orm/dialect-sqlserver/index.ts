export { openSqlServer, type SqlServerHandle, type SqlServerOptions } from './open-sqlserver.js';
export { sqlserver } from './sqlserver-dialect.js';
export { default } from './sqlserver-plugin.js';
