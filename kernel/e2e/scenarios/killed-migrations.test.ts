import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { serverDatabase, type ServerDatabase } from '../../../plugins/orm/contract/test-servers.js';
import { mysql, openMysql } from '../../../plugins/orm/dialect-mysql/index.js';
import { open, type Database, type SqlTransactionConnection } from '../../../plugins/orm/index.js';
import { migrations, readMigrations } from '../../../plugins/orm/migrations/index.js';
import { describeWith } from '../../testing/required-service.js';
import { until } from '../../testing/until.js';

const DIST = path.resolve(import.meta.dirname, '../../../dist/plugins/orm');
const MYSQL = { variable: 'FW_TEST_MYSQL', hint: 'a MySQL or MariaDB whose user may create databases' };

// A process that is ended by kill -9 while the server works for it, at each place where that leaves something else.
describeWith(MYSQL, 'A migration on MySQL whose process is killed', (url) => {
  let made: ServerDatabase;
  let db: Database;
  let home: string;
  let child: ChildProcess | undefined;

  beforeAll(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'fw-killed-migration-'));
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await db.close();
    await made.drop();
  }, 60_000);
  afterAll(() => rm(home, { recursive: true }));

  /** Begins a migration in a process of its own. @returns what keeps its statements on the table `held` waiting */
  async function migrating(up: string): Promise<SqlTransactionConnection> {
    made = await serverDatabase(url, openMysql, '`');
    db = open(made.handle, mysql);
    await made.handle.script('CREATE TABLE held (id int PRIMARY KEY, n int); INSERT INTO held VALUES (1, 1)');
    await writeFile(path.join(home, '1_pets.up.sql'), up);
    const holder = await made.handle.begin({});
    await holder.query('SELECT n FROM held FOR UPDATE', []);
    const program = `
      import { open } from ${JSON.stringify(path.join(DIST, 'index.js'))};
      import { mysql, openMysql } from ${JSON.stringify(path.join(DIST, 'dialect-mysql/index.js'))};
      import { migrations, readMigrations } from ${JSON.stringify(path.join(DIST, 'migrations/index.js'))};
      const db = open(await openMysql(process.argv[1], { connections: 1 }), mysql);
      await migrations.new(db).register(...(await readMigrations(process.argv[2]))).up();`;
    child = spawn(process.execPath, ['--input-type=module', '-e', program, made.address, home], { stdio: 'inherit' });
    return holder;
  }

  async function killed(): Promise<void> {
    if (child?.signalCode !== null || child.exitCode !== null) throw new Error('the migration is over already');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
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
    expect(await db.sqlDB().query('SELECT n FROM held', [])).toEqual([[2]]);
    await db.sqlDB().query('SELECT id FROM toys', []);
  }, 60_000);

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
  }, 60_000);

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
  }, 60_000);
});
