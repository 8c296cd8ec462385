import { dbCheckContract } from '../contract/db-check.contract.js';
import { openSqlite, sqlite } from './index.js';

dbCheckContract('SQLite', sqlite, async () => ({
  handle: await openSqlite(':memory:'),
  drop: () => Promise.resolve(),
}));
