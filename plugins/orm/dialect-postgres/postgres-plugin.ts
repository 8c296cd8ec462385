import { defineDialect } from '../dialect/index.js';
import { openPostgres } from './open-postgres.js';
import { postgresOptions } from './options.js';
import { postgres } from './postgres-dialect.js';

/** The dialect as `app.config.ts` takes it. */
export default defineDialect({
  id: 'orm/postgres',
  description: 'The database is PostgreSQL, through pg.',
  dialect: postgres,
  options: postgresOptions,
  open: ({ url, ...rest }) => openPostgres(url, rest),
  // Most applications never ask for it.
  read: async (options, request) => (await import('./read-postgres.js')).readPostgres(options, request),
  reader: async (options, request) => (await import('./read-postgres.js')).postgresReader(options, request),
});
