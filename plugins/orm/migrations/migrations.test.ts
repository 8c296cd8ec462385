import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../kernel/index.js';
import { openSqlite, sqlite } from '../dialect-sqlite/index.js';
import { ModelInfo, open, type ColumnDefinition } from '../index.js';
import { migrations, runMigrateCommand, type Migration, type MigrationStep } from './index.js';
import { introspect } from '../schema/index.js';

const database = async () => open(await openSqlite(':memory:'), sqlite);
const table = (version: string, name: string): Migration => ({
  version,
  name,
  up: async (_context, tx) => tx.script(`CREATE TABLE ${name} (id int)`),
  down: async (_context, tx) => tx.script(`DROP TABLE ${name}`),
  seed: async (_context, tx) => void (await tx.execute(`INSERT INTO ${name} VALUES (7)`, [])),
});
const tables = async (db: Awaited<ReturnType<typeof database>>) =>
  (await introspect(db)).map(({ name }) => name).filter((name) => name !== 'ledger');

test('register adds migrations, up applies all that are pending, by version [ORM-MIGRATE-REGISTER, ORM-MIGRATE-UP, ORM-STATE-MIGRATION-UP-01, ORM-OVERVIEW-11]', async () => {
  const db = await database();
  await migrations.new(db, 'ledger').register(table('001', 'first')).up();
  const runner = migrations.new(db, 'ledger').register(table('003', 'third'), table('001', 'first'));
  runner.register(table('002', 'second'));
  expect((await runner.up()).map(({ version }) => version)).toEqual(['002', '003']);
  expect(await tables(db)).toEqual(['first', 'second', 'third']);
  expect(await db.sqlDB().query('SELECT id FROM third', [])).toEqual([[7]]);
});

test('what is applied stands in the version table [ORM-STATE-MIGRATION-UP-02]', async () => {
  const db = await database();
  await migrations.new(db, 'ledger').register(table('001', 'first')).up();
  expect(await db.sqlDB().query('SELECT version, name FROM ledger', [])).toEqual([['001', 'first']]);
});

test('the handle of a database will do, and the table has the name that it is given [ORM-MIGRATE-NEW]', async () => {
  const db = await database();
  await migrations.new(db.sqlDB(), 'own_versions').register(table('001', 'first')).up();
  expect(await db.sqlDB().query('SELECT version FROM own_versions', [])).toEqual([['001']]);
});

test('a migration has version and name, and steps of a context and a transaction [ORM-VALUE-MIGRATION]', async () => {
  const db = await database();
  const told: unknown[] = [];
  const step = (what: string): MigrationStep => {
    return async ({ db: own, ...context }, tx) => {
      told.push([what, context, own === db]);
      if (what === 'up') await tx.script('CREATE TABLE things (id int)');
      if (what === 'seed') await tx.execute('INSERT INTO things VALUES (1)', []);
      if (what === 'down') await tx.script('DROP TABLE things');
    };
  };
  const steps = { up: step('up'), down: step('down'), seed: step('seed') };
  const runner = migrations.new(db, 'ledger').register({ version: '001', name: 'things', ...steps });
  await runner.up();
  await runner.down();
  const [up, down] = ['up', 'down'].map((direction) => ({ version: '001', name: 'things', direction }));
  expect(told).toEqual([
    ['up', up, true],
    ['seed', up, true],
    ['down', down, true],
  ]);
});

test('down rolls back the most recent one, and only it [ORM-MIGRATE-DOWN, ORM-STATE-MIGRATION-DOWN]', async () => {
  const db = await database();
  const runner = migrations.new(db, 'ledger').register(table('001', 'first'), table('002', 'second'));
  await runner.up();
  expect((await runner.down()).version).toBe('002');
  expect(await tables(db)).toEqual(['first']);
  expect((await runner.status()).map(({ state }) => state)).toEqual(['applied', 'pending']);
});

test('the most recent one is the last applied, not the highest version [ORM-STATE-MIGRATION-DOWN]', async () => {
  const db = await database();
  let now = 1000;
  const clock = { ...systemClock, now: () => now };
  await migrations.new(db, 'ledger', { clock }).register(table('002', 'second')).up();
  now += 1000;
  const runner = migrations.new(db, 'ledger', { clock }).register(table('001', 'first'), table('002', 'second'));
  await runner.up();
  expect((await runner.down()).version).toBe('001');
  expect(await tables(db)).toEqual(['second']);
});

describe('a migration without foreign keys, on SQLite', () => {
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
    runMigrateCommand({ db, folder, args, models, print: (line) => lines.push(line) });
  await run('diff');
  expect(lines[0]).toBe("warning: the check (label <>\\n'x;') of things is dropped");
  await run('up');
  lines.length = 0;
  await run('diff');
  expect(lines).toEqual(['the database is what the models say']);
  rmSync(folder, { recursive: true });
});
