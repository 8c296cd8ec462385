import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baselineContract } from '../contract/baseline.contract.js';
import { openSqlite, sqlite } from './index.js';

baselineContract(
  {
    name: 'SQLite',
    dialect: sqlite,
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'fw-orm-'));
      const handle = await openSqlite(join(folder, 'test.db'));
      return { handle, drop: () => rmSync(folder, { recursive: true }) };
    },
  },
  {
    statements: [
      `CREATE TABLE kinds (id integer PRIMARY KEY AUTOINCREMENT, name varchar(10) COLLATE NOCASE UNIQUE ON CONFLICT REPLACE, size int DEFAULT (1 + 2),
        parent int REFERENCES kinds DEFERRABLE INITIALLY DEFERRED)`,
      'CREATE TABLE strict_ones (id integer PRIMARY KEY, what any) STRICT',
      'CREATE TABLE flat (id text PRIMARY KEY, size int) WITHOUT ROWID',
      'CREATE INDEX by_size ON kinds (size DESC) WHERE size > 1',
      'CREATE TRIGGER counted AFTER INSERT ON kinds BEGIN UPDATE flat SET size = size + 1; END',
      'CREATE VIRTUAL TABLE texts USING fts5(id, body)',
    ],
    tables: ['kinds', 'strict_ones', 'flat', 'texts'],
    words: [`SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '%schema_migrations%' ORDER BY name`],
  },
);
