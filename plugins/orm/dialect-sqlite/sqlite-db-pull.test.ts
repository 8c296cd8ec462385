import { openSqlite, sqlite } from './index.js';
import { dbPullContract } from '../contract/db-pull.contract.js';
import { guideModelsContract } from '../contract/guide-models.contract.js';
import { ODD } from './testing/odd-schema.js';

const types = { id: 'INTEGER PRIMARY KEY', date: 'DATETIME', json: 'JSON', bytes: 'BLOB', float: 'REAL' };
const create = async () => ({ handle: await openSqlite(':memory:'), drop: () => Promise.resolve() });
dbPullContract('SQLite', sqlite, types, ODD, create);
guideModelsContract('SQLite', sqlite, create);
