import { defineDialect } from '../dialect/index.js';
import { openMysql } from './open-mysql.js';
import { mysqlOptions } from './options.js';
import { mysql } from './mysql-dialect.js';

/** The dialect as `app.config.ts` takes it. */
export default defineDialect({
  id: 'orm/mysql',
  description: 'The database is MySQL or MariaDB, through mysql2.',
  dialect: mysql,
  options: mysqlOptions,
  open: ({ url, ...rest }) => openMysql(url, rest),
  // Most applications never ask for it.
  read: async (options, request) => (await import('./read-mysql.js')).readMysql(options, request),
  reader: async (options, request) => (await import('./read-mysql.js')).mysqlReader(options, request),
});
