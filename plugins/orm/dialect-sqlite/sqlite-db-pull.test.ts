import { openSqlite, sqlite } from './index.js';
import { dbPullContract } from '../contract/db-pull.contract.js';
import { guideModelsContract } from '../contract/guide-models.contract.js';

const types = { id: 'INTEGER PRIMARY KEY', date: 'DATETIME', json: 'JSON', bytes: 'BLOB', float: 'REAL' };
const create = async () => ({ handle: await openSqlite(':memory:'), drop: () => Promise.resolve() });
dbPullContract('SQLite', sqlite, types, create);
guideModelsContract('SQLite', sqlite, create);
