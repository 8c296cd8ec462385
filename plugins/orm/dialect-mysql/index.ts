export { openMysql, type MysqlHandle, type MysqlOptions } from './open-mysql.js';
export { mysql } from './mysql-dialect.js';
export { default } from './mysql-plugin.js';
