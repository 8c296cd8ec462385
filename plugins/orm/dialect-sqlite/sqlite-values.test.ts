import { valuesContract } from '../contract/values.contract.js';
import { openSqlite, sqlite } from './index.js';

valuesContract('SQLite', sqlite, async () => {
  return { handle: await openSqlite(':memory:'), drop: async () => undefined };
});
