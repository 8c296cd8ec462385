import { dbCheckContract } from '../contract/db-check.contract.js';
import { openSqlite, sqlite } from './index.js';
import { WORLD } from './testing/world-schema.js';

const create = async () => ({ handle: await openSqlite(':memory:'), drop: () => Promise.resolve() });
dbCheckContract({ name: 'SQLite', dialect: sqlite, create }, WORLD);
