import { defineDialect } from '../dialect/index.js';
import { openSqlServer } from './open-sqlserver.js';
import { sqlserverOptions } from './options.js';
import { sqlserver } from './sqlserver-dialect.js';

/** The dialect as `app.config.ts` takes it. */
export default defineDialect({
  id: 'orm/sqlserver',
  description: 'The database is SQL Server, through tedious.',
  dialect: sqlserver,
  options: sqlserverOptions,
  open: ({ url, ...rest }) => openSqlServer(url, rest),
});
