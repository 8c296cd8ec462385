import { defineDialect } from '../dialect/index.js';
import { openSqlite } from './open-sqlite.js';
import { sqliteOptions } from './options.js';
import { sqlite } from './sqlite-dialect.js';

/** The dialect as `app.config.ts` takes it. */
export default defineDialect({
  id: 'orm/sqlite',
  description: 'The database is a SQLite file, through better-sqlite3 or node:sqlite.',
  dialect: sqlite,
  options: sqliteOptions,
  open: ({ file, ...rest }) => openSqlite(file, rest),
  // Most applications never ask for it.
  read: async (options, request) => (await import('./read-sqlite.js')).readSqlite(options, request),
});
