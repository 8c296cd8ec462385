import { dbCheckContract } from '../contract/db-check.contract.js';
import { openSqlite, sqlite } from './index.js';
import { WORLD } from './testing/world-schema.js';

dbCheckContract('SQLite', sqlite, WORLD, async () => ({
  handle: await openSqlite(':memory:'),
  drop: () => Promise.resolve(),
}));
