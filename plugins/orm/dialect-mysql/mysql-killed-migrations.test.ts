import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type RunningProcess, startProcess } from '../../../kernel/process/index.js';
import { describeWith } from '../../../kernel/testing/required-service.js';
import { until } from '../../../kernel/testing/until.js';
import type { ServerDatabase } from '../contract/test-servers.js';
import { open, type Database, type SqlTransactionConnection } from '../index.js';
import { migrations, readMigrations } from '../migrations/index.js';
import { mysql } from './index.js';
import { MYSQL, mysqlDatabase } from './testing/mysql-server.js';

const DIST = path.resolve(import.meta.dirname, '../../../dist/plugins/orm');

// A process that is ended by kill -9 while the server works for it, at each place where that leaves something else.
describeWith(MYSQL, 'A migration on MySQL whose process is killed', (url) => {
  let made: ServerDatabase;
  let db: Database;
  let home: string;
  let child: RunningProcess | undefined;

  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'fw-killed-migration-'));
  });
  afterEach(async () => {
    await child?.stop({ graceMs: 0 });
    await db.close();
    await made.drop();
    await rm(home, { recursive: true });
  });

  /** Begins a migration in a process of its own. @returns what keeps its statements on the table `held` waiting */
  async function migrating(up: string, file = '1_pets.up.sql'): Promise<SqlTransactionConnection> {
    made = await mysqlDatabase(url);
    db = open(made.handle, mysql);
    await made.handle.script(
      'CREATE TABLE held (id int PRIMARY KEY, n int); INSERT INTO held VALUES (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)',
    );
    await writeFile(path.join(home, file), up);
    const holder = await made.handle.begin({});
    await holder.query('SELECT n FROM held WHERE id = 5 FOR UPDATE', []);
    const program = `
      import { open } from ${JSON.stringify(path.join(DIST, 'index.js'))};
      import { mysql, openMysql } from ${JSON.stringify(path.join(DIST, 'dialect-mysql/index.js'))};
      import { migrations, readMigrations } from ${JSON.stringify(path.join(DIST, 'migrations/index.js'))};
      const db = open(await openMysql(process.argv[1], { connections: 1 }), mysql);
      await migrations.new(db).register(...(await readMigrations(process.argv[2]))).up();`;
    child = await startProcess({
      command: process.execPath,
      args: ['--input-type=module', '-e', program, made.address, home],
      cwd: home,
    });
    return holder;
  }

  async function killed(): Promise<void> {
    child?.kill('SIGKILL');
    // One that is over already has no signal.
    expect(await child?.exited).toMatchObject({ signal: 'SIGKILL' });
  }

  const runner = async () => migrations.new(db).register(...(await readMigrations(home)));
  const up = async () => (await runner()).up();
  const columns = async () => (await db.sqlDB().query('SHOW COLUMNS FROM held', [])).map(([name]) => name);
  const waiting = async (statement: string) => {
    const rows = await db.sqlDB().query('SHOW PROCESSLIST', []);
    return rows.some((row) => String(row[7]).startsWith(statement));
  };
  const begun = (statement: string) => until(() => waiting(statement), statement);
  const over = (statement: string) => until(async () => !(await waiting(statement)), `end of ${statement}`);
  const half = async () => (await (await runner()).status())[0]?.half;

  test('between two statements goes on at the next', async () => {
    const holder = await migrating('CREATE TABLE pets (id int); UPDATE held SET n = 2; CREATE TABLE toys (id int);');
    await begun('UPDATE held');
    await killed();
    await holder.rollback();
    await over('UPDATE held');
    expect(await half()).toEqual({ direction: 'up', done: 1 });
    expect((await up()).map(({ name }) => name)).toEqual(['pets']);
    expect(await db.sqlDB().query('SELECT n FROM held', [])).toEqual([[2], [2], [2], [2], [2]]);
    await db.sqlDB().query('SELECT id FROM toys', []);
  });

  test('while it notes the end of a statement does not do it twice', async () => {
    const holder = await migrating('ALTER TABLE held ADD added int; CREATE TABLE toys (id int);');
    await begun('ALTER TABLE held');
    const steps = await made.handle.begin({});
    // The note of the end has to wait, too.
    await steps.query('SELECT state FROM schema_migrations_steps FOR UPDATE', []);
    await holder.rollback();
    await until(async () => (await columns()).includes('added'), 'new column');
    await begun('UPDATE `schema_migrations_steps`');
    await killed();
    await steps.rollback();
    await over('UPDATE `schema_migrations_steps`');
    // The server may do what nobody waits for any more, and then it is noted.
    const found = await half();
    if (found?.inDoubt !== undefined) {
      await expect(up()).rejects.toMatchObject({ code: 'FW_MIGRATE_HALF' });
      await (await runner()).resolve('1', 'done');
    } else expect(found).toEqual({ direction: 'up', done: 1 });
    expect((await up()).map(({ name }) => name)).toEqual(['pets']);
    expect(await columns()).toEqual(['id', 'n', 'added']);
  });

  test('amid a statement asks, and goes on with what became of it', async () => {
    const holder = await migrating('ALTER TABLE held ADD added int; CREATE TABLE toys (id int);');
    await begun('ALTER TABLE held');
    await killed();
    await holder.rollback();
    await over('ALTER TABLE held');
    await expect(up()).rejects.toMatchObject({ code: 'FW_MIGRATE_HALF' });
    const isDone = (await columns()).includes('added');
    await (await runner()).resolve('1', isDone ? 'done' : 'undone');
    expect((await up()).map(({ name }) => name)).toEqual(['pets']);
    expect(await columns()).toEqual(['id', 'n', 'added']);
  });

  test('amid batches of rows goes on behind the last', async () => {
    const holder = await migrating(
      `export const move = ({ batches }) => batches({ table: 'held', key: 'id', size: 2 }, 'n = n + 1');`,
      '1_pets.mjs',
    );
    await until(async () => (await db.sqlDB().query('SELECT id FROM held WHERE n = 2', [])).length > 0, 'batch');
    await begun('UPDATE `held`');
    await killed();
    await holder.rollback();
    await over('UPDATE `held`');
    expect(await half()).toEqual({ direction: 'up', done: 0 });
    expect((await up()).map(({ name }) => name)).toEqual(['pets']);
    expect(await db.sqlDB().query('SELECT n FROM held', [])).toEqual([[2], [2], [2], [2], [2]]);
  });
});
