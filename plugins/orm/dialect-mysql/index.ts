export { openMysql, type MysqlHandle, type MysqlOptions } from './open-mysql.js';
export { mysql } from './mysql-dialect.js';
export { mysqlError } from './mysql-errors.js';
export { default } from './mysql-plugin.js';
