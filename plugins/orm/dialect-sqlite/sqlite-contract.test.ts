import { callLimitsContract } from '../contract/call-limits.contract.js';
import { dialectSuite, runCells } from '../contract/index.js';
import { sqlite } from './index.js';
import { inFile, inMemory, testedSqlite } from './testing/sqlite-databases.js';

dialectSuite({ ...testedSqlite, name: 'SQLite in a file' });
callLimitsContract({ name: 'SQLite in a file', dialect: sqlite, create: inFile });

runCells({ ...testedSqlite, name: 'SQLite in memory', create: inMemory }, [
  'queries, relations, keys and transactions',
  'kinds of values and null',
]);
callLimitsContract({ name: 'SQLite in memory', dialect: sqlite, create: inMemory, habits: { onlyConnection: true } });
