import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith } from '../../../kernel/testing/required-service.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { open, type Database } from '../index.js';
import { migrateCall } from '../contract/migrate-call.js';
import { migrations, readMigrations, runMigrateCommand, type Migration } from '../migrations/index.js';
import { introspect } from '../schema/index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';
import { mysql, openMysql } from './index.js';

// https://dev.mysql.com/doc/refman/8.0/en/implicit-commit.html
describeWith(MYSQL, 'A migration that MySQL cannot undo', (url) => {
  let made: ServerDatabase;
  let db: Database;
  let folder: string;

  beforeAll(async () => {
    made = await mysqlDatabase(url);
    db = open(made.handle, mysql);
  });
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'fw-steps-'))));
  afterEach(async () => {
    for (const { name } of await introspect(db)) await db.sqlDB().script(`DROP TABLE ${name}`);
    await rm(folder, { recursive: true });
  });
  afterAll(async () => {
    await db.close();
    await made.drop();
  });

  const put = (file: string, sql: string) => writeFile(join(folder, file), sql);
  const runner = async () => migrations.new(db).register(...(await readMigrations(folder)));
  const tables = async () =>
    (await introspect(db)).map(({ name }) => name).filter((name) => !name.startsWith('schema_migrations'));
  const steps = () => db.sqlDB().query('SELECT version, direction, state FROM schema_migrations_steps', []);
  async function command(...args: readonly string[]): Promise<readonly string[]> {
    const lines: string[] = [];
    await runMigrateCommand({
      db,
      root: folder,
      folder,
      request: migrateCall(...args),
      print: (line) => lines.push(line),
    });
    return lines;
  }
  /** What a process leaves that is killed while the server does a statement. */
  const killedAmid = (version: string, number: number) =>
    db
      .sqlDB()
      .execute(`UPDATE schema_migrations_steps SET state = 'begun' WHERE version = ? AND step = ?`, [
        version,
        String(number).padStart(6, '0'),
      ]);

  test('goes on behind what is done, when the rest is corrected', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); INSERT INTO pets VALUES (1); CREATE NONSENSE;');
    await expect((await runner()).up()).rejects.toMatchObject({
      code: 'FW_MIGRATE_FAILED',
      message: expect.stringContaining('2 of its 3 statements stay done, and the next run goes on behind them'),
    });
    expect(await command('status')).toEqual(['pending  1 pets; half done on its way up, 2 statements are done']);
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); INSERT INTO pets VALUES (1); CREATE TABLE toys (id int);');
    expect((await (await runner()).up()).map(({ name }) => name)).toEqual(['pets']);
    expect([await tables(), await steps()]).toEqual([['pets', 'toys'], []]);
    expect(await db.sqlDB().query('SELECT id FROM pets', [])).toEqual([[1]]);
  });

  test('changes data altogether or not at all', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int PRIMARY KEY)');
    await put('2_rows.up.sql', 'INSERT INTO pets VALUES (1); INSERT INTO pets VALUES (1);');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    expect([await db.sqlDB().query('SELECT id FROM pets', []), await steps()]).toEqual([[], []]);
  });

  test('tells another session what its statements said for theirs', async () => {
    const rest = (last: string) => `SET @size = 7; CREATE TABLE pets (size int); ${last}`;
    await put('1_pets.up.sql', rest('CREATE NONSENSE'));
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await put('1_pets.up.sql', rest('INSERT INTO pets VALUES (@size)'));
    const again = open(await openMysql(made.address), mysql);
    await migrations
      .new(again)
      .register(...(await readMigrations(folder)))
      .up();
    await again.close();
    expect(await db.sqlDB().query('SELECT size FROM pets', [])).toEqual([[7]]);
  });

  test('stops when what is done was changed in its file', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE NONSENSE;');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await put('1_pets.up.sql', 'CREATE TABLE pets (id bigint); CREATE TABLE toys (id int);');
    await expect((await runner()).up()).rejects.toMatchObject({
      code: 'FW_MIGRATE_HALF',
      message: expect.stringContaining('its statement 1 was done in other words (CREATE TABLE pets (id int))'),
    });
    expect(await command('resolve', '1', '--as', 'applied')).toEqual(['1 counts as applied']);
    expect(await (await runner()).up()).toEqual([]);
    expect(await steps()).toEqual([]);
  });

  test('asks about a statement of which nobody knows whether it was done, and goes on as it is told', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE NONSENSE;');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE TABLE toys (id int);');
    await killedAmid('1', 1);
    const inDoubt = {
      code: 'FW_MIGRATE_HALF',
      message: expect.stringMatching(
        /statement 1 of 2 was done \(CREATE TABLE pets .*resolve 1 --as done" or "--as undone"/,
      ),
    };
    await expect((await runner()).up()).rejects.toMatchObject(inDoubt);
    expect(await command('status')).toEqual([
      'pending  1 pets; half done on its way up, 0 statements are done, and nobody knows whether the next was done: CREATE TABLE pets (id int)',
    ]);
    await expect((await runner()).down()).rejects.toMatchObject({ code: 'FW_MIGRATE_HALF' });
    await db.sqlDB().script('DROP TABLE pets');
    expect(await command('resolve', '1', '--as=undone')).toEqual([
      '1 counts as undone; run npx --no -- fw migrate up again to go on',
    ]);
    expect(await command('up')).toEqual(['applied 1 pets']);
    expect(await tables()).toEqual(['pets', 'toys']);
  });

  test('goes on behind a statement that was done', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE NONSENSE;');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE TABLE toys (id int);');
    await killedAmid('1', 1);
    await command('resolve', '1', '--as', 'done');
    expect(await command('up')).toEqual(['applied 1 pets']);
    expect(await tables()).toEqual(['pets', 'toys']);
  });

  test('goes on on its way down, too, and not up before that', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE TABLE toys (id int);');
    await put('1_pets.down.sql', 'DROP TABLE toys; DROP NONSENSE;');
    await command('up');
    await expect(command('down')).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await expect(command('up')).rejects.toMatchObject({
      code: 'FW_MIGRATE_HALF',
      message: expect.stringContaining('down 1 (pets) is half done: finish it with "npx --no -- fw migrate down"'),
    });
    expect((await command('status'))[0]).toMatch(
      /^applied {2}1 pets .*half done on its way down, 1 statement is done$/,
    );
    await put('1_pets.down.sql', 'DROP TABLE toys; DROP TABLE pets;');
    expect(await command('down')).toEqual(['rolled back 1 pets']);
    expect([await tables(), await steps()]).toEqual([[], []]);
  });

  test('is forgotten when somebody has undone it by hand', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE NONSENSE;');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await db.sqlDB().script('DROP TABLE pets');
    await command('resolve', '1', '--as', 'rolled-back');
    expect(await command('status')).toEqual(['pending  1 pets']);
  });

  test('whose file is gone keeps others from going on', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int); CREATE NONSENSE;');
    await expect((await runner()).up()).rejects.toMatchObject({ code: 'FW_MIGRATE_FAILED' });
    await rm(join(folder, '1_pets.up.sql'));
    await expect(command('up')).rejects.toMatchObject({ code: 'FW_MIGRATE_HALF' });
  });

  test('of code is one step, which only a person can judge when it has changed the schema', async () => {
    let fails = true;
    const pets: Migration = {
      version: '1',
      name: 'pets',
      async up(_context, tx) {
        await tx.script('CREATE TABLE pets (id int)');
        if (fails) throw new Error('on the way');
      },
      seed: async (_context, tx) => void (await tx.execute('INSERT INTO pets VALUES (1)', [])),
    };
    const own = () => migrations.new(db).register(pets);
    await expect(own().up()).rejects.toMatchObject({
      code: 'FW_MIGRATE_FAILED',
      message: expect.stringContaining('on the way; nobody knows whether statement 1 of 2 was done (the function up)'),
    });
    fails = false;
    await expect(own().up()).rejects.toMatchObject({ code: 'FW_MIGRATE_HALF' });
    await own().resolve('1', 'done');
    await own().up();
    expect(await db.sqlDB().query('SELECT id FROM pets', [])).toEqual([[1]]);
  });

  test('is resolved as what it can be', async () => {
    await put('1_pets.up.sql', 'CREATE TABLE pets (id int)');
    const refused = (version: string, as: string, problem: string) =>
      expect(command('resolve', version, '--as', as)).rejects.toMatchObject({
        code: 'FW_MIGRATE_RESOLVE',
        details: { version, as, problem },
      });
    await refused('1', 'rolled-back', 'nothing of it is applied');
    await refused('2', 'applied', 'there is no such migration');
    await command('up');
    await refused('1', 'done', 'no statement of it is in doubt');
    await refused('1', 'undone', 'no statement of it is in doubt');
    await refused('1', 'applied', 'it is applied');
    expect(await command('resolve', '1', '--as', 'rolled-back')).toEqual(['1 counts as rolled-back']);
    expect(await command('status')).toEqual(['pending  1 pets']);
  });
});
