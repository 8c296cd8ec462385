import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
migrationsContract('SQLite', sqlite, inFile);
schemaChangesContract('SQLite', sqlite, inFile);

dialectContract('SQLite in memory', sqlite, async () => {
  return { handle: await openSqlite(':memory:'), drop: async () => undefined };
});
