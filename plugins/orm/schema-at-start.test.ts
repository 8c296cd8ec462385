import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { plugin } from '../../kernel/index.js';
import { bootTestApp } from '../../kernel/testing/index.js';
import orm, { Database, registerModel, type ColumnDefinition } from './index.js';
import { lastingOptions, test } from './contract/any-database.js';

class Watched {}
const columns: ColumnDefinition[] = [
  { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
  { property: 'title', column: 'title', kind: 'string' },
];
const becomes = (...more: ColumnDefinition[]) =>
  registerModel(Watched, { name: 'Watched', table: 'watched', columns: [...columns, ...more] });
const SUBTITLE: ColumnDefinition = { property: 'subTitle', column: 'sub_title', kind: 'string', nullable: true };
const SIZE: ColumnDefinition = { property: 'size', column: 'size', kind: 'int' };

let root: string;
let database: Awaited<ReturnType<typeof lastingOptions>>;
beforeEach(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-at-start-'));
  database = await lastingOptions();
  becomes();
});
afterEach(() => rmSync(root, { recursive: true }));

const booted = (profile: string, more: object = {}) =>
  bootTestApp({
    profile,
    root,
    plugins: [plugin(async () => orm, { ...database, ...more } as never)],
  });

/** What was warned of until the application had stopped, which waits for the comparison. */
async function warnings(profile: string, more: object = {}): Promise<readonly string[]> {
  const app = await booted(profile, more);
  await app.stop();
  return app.log.messages('warn');
}

describe('the schema at start', () => {
  test('in development names table, column and command where the database lags behind the models', async () => {
    expect(await warnings('dev')).toEqual([]);
    becomes(SUBTITLE);
    const [warning = '', ...others] = await warnings('dev');
    expect(others).toEqual([]);
    expect(warning).toMatch(
      /the column watched\.sub_title of Watched\.subTitle is missing\. `npx --no -- fw migrate diff/,
    );
    expect(await warnings('prod', { schema: 'none' })).toEqual([]);
    expect(await warnings('dev', { drift: 'ignore' })).toEqual([]);
  });

  test('names columns that no model has, and tables that are not there', async () => {
    becomes(SUBTITLE);
    await warnings('dev');
    becomes();
    expect((await warnings('dev'))[0]).toContain('watched.sub_title is in the database and not in Watched');
    database = await lastingOptions();
    expect((await warnings('dev', { schema: 'none' }))[0]).toContain('the table watched of Watched is missing');
  });

  test('in production names tables that are not there, unless drift shall be ignored, and leaves columns to migrations', async () => {
    expect(await warnings('prod')).toEqual([
      'the database default lacks watched, and queries of them fail: `npx --no -- fw migrate diff --name <what-changes>` writes a migration that makes them, and `npx --no -- fw migrate up` applies it before the start',
    ]);
    expect(await warnings('prod', { drift: 'ignore' })).toEqual([]);
    expect(await warnings('test', { schema: 'none' })).toEqual([]);
    await warnings('dev');
    becomes(SUBTITLE);
    expect(await warnings('prod')).toEqual([]);
  });

  test('sync-dev adds what loses nothing, and leaves the rest with a reason', async () => {
    const app = await booted('dev');
    await app.services.get(Database).sqlDB().script("INSERT INTO watched (title) VALUES ('kept')");
    await app.stop();
    becomes(SUBTITLE);
    expect(await warnings('dev', { schema: 'sync-dev' })).toEqual([]);
    const again = await booted('dev', { schema: 'sync-dev' });
    const rows = await again.services.get(Database).sqlDB().query('SELECT title, sub_title FROM watched', []);
    expect(rows).toEqual([['kept', null]]);
    await again.stop();
    becomes(SIZE);
    expect(await warnings('dev', { schema: 'sync-dev' })).toEqual([
      expect.stringMatching(
        /left alone: .*watched\.size is new, not null and without a default.*declare size: \.\.\. \| null in \w+.* `npx --no -- fw migrate up` applies it$/,
      ),
    ]);
  });

  test('sync-dev is for development alone', async () => {
    await warnings('dev');
    becomes(SUBTITLE);
    await warnings('prod', { schema: 'sync-dev' });
    expect((await warnings('dev', { schema: 'none' }))[0]).toContain('watched.sub_title');
  });
});

describe('migrations that are not applied', () => {
  // Makes the table of the model, of which the migrations here know nothing.
  beforeEach(() => warnings('dev'));

  const migration = (name: string, sql: string) => {
    mkdirSync(path.join(root, 'app/migrations'), { recursive: true });
    writeFileSync(path.join(root, `app/migrations/${name}.up.sql`), sql);
  };

  test('refuse the start in production, and say how they are applied', async () => {
    expect(await warnings('prod')).toEqual([]);
    migration('1_first', 'CREATE TABLE first (id INTEGER)');
    await expect(booted('prod')).rejects.toMatchObject({
      code: 'FW_MIGRATE_PENDING',
      message: expect.stringMatching(/database default: 1_first\. Run `npx --no -- fw migrate up`/),
    });
  });

  test('are applied, or only named, where the application says so', async () => {
    migration('1_first', 'CREATE TABLE first (id INTEGER)');
    expect(await warnings('prod', { pendingMigrations: 'warn' })).toEqual([
      'migrations are not applied to the database default: 1_first; `npx --no -- fw migrate up` applies them',
    ]);
    expect(await warnings('prod', { pendingMigrations: 'apply' })).toEqual([]);
    const app = await booted('prod');
    expect(await app.services.get(Database).sqlDB().query('SELECT * FROM first', [])).toEqual([]);
    await app.stop();
  });

  test('are all that is said of a database that lacks what they bring', async () => {
    database = await lastingOptions();
    migration('1_watched', 'CREATE TABLE watched (id INTEGER PRIMARY KEY, title TEXT NOT NULL)');
    expect(await warnings('prod', { pendingMigrations: 'warn' })).toEqual([expect.stringContaining('1_watched')]);
    expect(await warnings('dev', { schema: 'none' })).toEqual([expect.stringContaining('1_watched')]);
  });

  test('are no matter where tables are made from the models', async () => {
    migration('1_first', 'CREATE TABLE first (id INTEGER)');
    expect(await warnings('prod', { schema: 'create-missing' })).toEqual([]);
    expect(await warnings('dev', { schema: 'none' })).toEqual([expect.stringContaining('1_first')]);
  });

  test('which the database has and the code has not, name a newer version', async () => {
    migration('1_first', 'CREATE TABLE first (id INTEGER)');
    migration('2_second', 'CREATE TABLE second (id INTEGER)');
    await warnings('prod', { pendingMigrations: 'apply' });
    rmSync(path.join(root, 'app/migrations/2_second.up.sql'));
    expect(await warnings('prod')).toEqual([
      expect.stringMatching(/migrations that this version of the application does not know: 2_second; a newer one/),
    ]);
  });
});
