import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callLimitsContract } from '../contract/call-limits.contract.js';
import { dialectContract } from '../contract/dialect.contract.js';
import { migrationsContract } from '../contract/migrations.contract.js';
import { rowWritesContract } from '../contract/row-writes.contract.js';
import { schemaChangesContract } from '../contract/schema-changes.contract.js';
import { openSqlite, sqlite } from './index.js';

const inFile = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
  const handle = await openSqlite(join(folder, 'test.db'));
  return { handle, drop: async () => rmSync(folder, { recursive: true }) };
};

dialectContract('SQLite in a file', sqlite, inFile);
rowWritesContract('SQLite', sqlite, inFile);
callLimitsContract('SQLite in a file', sqlite, inFile);
migrationsContract('SQLite', sqlite, inFile);
schemaChangesContract('SQLite', sqlite, inFile);

const inMemory = async () => ({ handle: await openSqlite(':memory:'), drop: async () => undefined });

dialectContract('SQLite in memory', sqlite, inMemory);
callLimitsContract('SQLite in memory', sqlite, inMemory);
