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

test('fw migrate diff names columns whose times are of another format than the tag says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fw-times-'));
  const db = await database();
  await db.sqlDB()
    .script(`CREATE TABLE sessions (id INTEGER PRIMARY KEY, ends datetime, begun datetime, seen datetime, kept datetime);
    INSERT INTO sessions VALUES (1, '2024-05-06 07:08:09', '2024-05-06T07:08:09.010Z', 1714979289, '2024-05-06 07:08:09'),
      (2, NULL, NULL, '2024-05-06', NULL)`);
  const time = { kind: 'date', nullable: true, sqlType: 'datetime' } as const;
  const columns: readonly ColumnDefinition[] = [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
    { property: 'ends', column: 'ends', ...time },
    { property: 'begun', column: 'begun', ...time },
    { property: 'seen', column: 'seen', ...time },
    { property: 'kept', column: 'kept', ...time, format: 'YYYY-MM-DD hh:mm:ss' },
  ];
  const models = [new ModelInfo(class SessionRow {}, { name: 'SessionRow', table: 'sessions', columns })];
  const lines: string[] = [];
  const place = { db, root: folder, folder, models, print: (line: string) => lines.push(line) };
  await runMigrateCommand({ ...place, request: migrateCall('diff') });
  expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
    'warning: sessions.ends holds times as YYYY-MM-DD hh:mm:ss, and SessionRow.ends says no format: conditions find other rows than they mean, and reading it fails; say format=YYYY-MM-DD hh:mm:ss in its tag',
    expect.stringMatching(/^warning: sessions\.seen holds times as unix .* say format= in its tag$/),
  ]);
  rmSync(folder, { recursive: true });
});
