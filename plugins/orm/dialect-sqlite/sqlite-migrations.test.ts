import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelInfo, open, type ColumnDefinition } from '../index.js';
import { migrateCall } from '../contract/migrate-call.js';
import { migrations, runMigrateCommand, type Migration } from '../migrations/index.js';
import { openSqlite, sqlite } from './index.js';

const database = async () => open(await openSqlite(':memory:'), sqlite);

describe('a migration without foreign keys', () => {
  const family = async () => {
    const db = await database();
    await db.sqlDB().script(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (parent_id int REFERENCES parents (id) ON DELETE CASCADE);
      INSERT INTO parents VALUES (1), (2); INSERT INTO children VALUES (1)`);
    return db;
  };
  const migration = (sql: string): Migration => ({
    version: '001',
    name: 'rebuild',
    foreignKeys: false,
    up: async (_context, tx) => tx.script(sql),
  });
  const count = async (db: Awaited<ReturnType<typeof database>>) => {
    const [parents] = await db.sqlDB().query('SELECT count(*) FROM parents', []);
    const [children] = await db.sqlDB().query('SELECT count(*) FROM children', []);
    return [parents?.[0], children?.[0]];
  };

  test('reaches no row of another table, and leaves foreign keys on', async () => {
    const db = await family();
    const rebuild = `CREATE TABLE fresh (id INTEGER PRIMARY KEY, name text); INSERT INTO fresh (id) SELECT id FROM parents;
      DROP TABLE parents; ALTER TABLE fresh RENAME TO parents`;
    await migrations.new(db, 'ledger').register(migration(rebuild)).up();
    expect(await count(db)).toEqual([2, 1]);
    await expect(async () => db.sqlDB().execute('INSERT INTO children VALUES (9)', [])).rejects.toMatchObject({
      code: 'FW_ORM_CONSTRAINT',
    });
  });

  test('is taken back whole when a row refers to nothing in the end', async () => {
    const db = await family();
    const runner = migrations.new(db, 'ledger').register(migration('DELETE FROM parents WHERE id = 1'));
    await expect(runner.up()).rejects.toMatchObject({
      code: 'FW_MIGRATE_FAILED',
      message: expect.stringContaining('a row of children refers to one of parents that is not there'),
    });
    expect(await count(db)).toEqual([2, 1]);
    expect((await runner.status()).map(({ state }) => state)).toEqual(['pending']);
    await expect(async () => db.sqlDB().execute('INSERT INTO children VALUES (9)', [])).rejects.toMatchObject({
      code: 'FW_ORM_CONSTRAINT',
    });
  });

  test('is taken back whole when a statement fails', async () => {
    const db = await family();
    const runner = migrations.new(db, 'ledger').register(migration('DELETE FROM parents; NONSENSE'));
    await expect(runner.up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    expect(await count(db)).toEqual([2, 1]);
  });
});

test('a warning that quotes several lines of SQL is one comment of the migration', async () => {
  const db = await database();
  const folder = mkdtempSync(join(tmpdir(), 'fw-warned-'));
  await db.sqlDB().script("CREATE TABLE things (id INTEGER PRIMARY KEY, label TEXT CHECK (label <>\n'x;'))");
  const columns: ColumnDefinition[] = [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true },
    { property: 'label', column: 'label', kind: 'string', nullable: true },
  ];
  const models = [new ModelInfo(class Thing {}, { name: 'Thing', table: 'things', columns })];
  const lines: string[] = [];
  const run = (...args: readonly string[]) =>
    runMigrateCommand({
      db,
      root: folder,
      folder,
      request: migrateCall(...args),
      models,
      print: (line) => lines.push(line),
    });
  await run('baseline');
  lines.length = 0;
  await run('diff');
  expect(lines[0]).toBe("warning: the check (label <>\\n'x;') of things is dropped");
  await run('up');
  lines.length = 0;
  await run('diff');
  expect(lines).toEqual(['the database is what the models say']);
  rmSync(folder, { recursive: true });
});
