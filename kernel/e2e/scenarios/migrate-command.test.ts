import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProcess } from '../../process/index.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');

let folder: string;

const fw = (...args: string[]) => fwOn(path.join(folder, 'shop.sqlite'), ...args);
const fwOn = (database: string, ...args: string[]) =>
  runProcess({
    command: process.execPath,
    args: [FW, ...args],
    cwd: ROOT,
    env: { SHOP_DATABASE: database },
    timeoutMs: 30_000,
    maxOutputBytes: 100_000,
  });
const migrate = (...args: string[]) => fw('migrate', ...args, '--dir', path.join(folder, 'migrations'));

describe('fw migrate and fw db pull, on the reference app', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fw-migrate-'));
    const built = await fw(
      'build',
      '--no-check',
      '--include',
      'app.config.ts',
      'docs/examples/shop/**/*.ts',
      'generated/**/*.ts',
    );
    expect(built.exitCode).toBe(0);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('write the first migration from the models, apply it, find nothing left to do, and take it back', async () => {
    const migrations = path.join(folder, 'migrations');
    await mkdir(migrations);
    expect((await migrate('status')).stdout).toBe(`no migrations in ${migrations}\n`);
    expect((await migrate('up')).stdout).toBe(`no migrations in ${migrations}\n`);
    const diff = await migrate('diff', '--name', 'first shop');
    const [, file = ''] = /wrote (\S+first_shop\.up\.sql)/.exec(diff.stdout) ?? [];
    expect(await readFile(file, 'utf8')).toMatch(/CREATE TABLE "products"/);
    expect((await migrate('up')).stdout).toMatch(/^applied \d{14} first_shop\n$/);
    expect((await migrate('up')).stdout).toBe('nothing to apply\n');
    expect((await migrate('diff')).stdout).toBe('the database is what the models say\n');
    expect((await migrate('down')).stdout).toMatch(/^rolled back \d{14} first_shop\n$/);
    expect((await migrate('status')).stdout).toMatch(/^pending {2}\d{14} first_shop\n$/);
    expect((await migrate('up')).exitCode).toBe(0);
    expect((await fw('db', 'pull', '--dir', path.join(folder, 'models'))).stdout).toContain('wrote product.ts');
    expect(await readFile(path.join(folder, 'models/product.ts'), 'utf8')).toContain(`@db('sku,unique')`);
  }, 90_000);

  test('says which subcommands there are', async () => {
    const ended = await migrate('sideways');
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/'sideways' is invalid.*up, down, status, diff, new, baseline, resolve/),
    });
  }, 30_000);

  test.each([
    [['down', 'two'], 'down takes a number of migrations, 1 or more, got "two"'],
    [['up', '0'], 'up takes a number of migrations, 1 or more, got "0"'],
    [['up', '--lock-timeout', '0'], '--lock-timeout takes milliseconds, 1 or more, got "0"'],
    [['status', 'all'], 'status takes no argument, got "all"'],
    [
      ['diff', 'shop'],
      'diff takes --name <name>, --rename <old>=<new>, --concurrently, --not-valid and --drop-tables, got "shop"',
    ],
    [['diff', '--rename', 'sku'], '--rename takes <table>.<old name>=<new name>, got "sku"'],
    [['baseline', 'one'], 'baseline takes one version at most, and --name <name>, got "one"'],
    [['resolve', '1'], 'resolve takes a version and --as done|undone|applied|rolled-back, got "1"'],
    [['new'], 'new needs a name'],
  ])(
    'refuses %j before it opens the database',
    async (args, problem) => {
      expect(await fw('migrate', ...args, '--config', 'nowhere.js')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`fw migrate: ${problem}. Usage: fw migrate up [count]`),
      });
    },
    30_000,
  );

  test('writes an empty migration without opening the database', async () => {
    const ended = await fwOn('/dev/null/none', 'migrate', 'new', 'Seed plans', '--dir', path.join(folder, 'seeds'));
    expect(ended.stdout).toMatch(/^wrote .*seeds.\d{14}_seed_plans\.up\.sql\nwrote .*_seed_plans\.down\.sql\n$/);
    expect(await fw('migrate', 'new', '?!')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"?!" gives no file name; use letters and digits'),
    });
  }, 30_000);

  test('says that a folder that was named is not there', async () => {
    const nowhere = path.join(folder, 'nowhere');
    expect(await fw('migrate', 'up', '--dir', nowhere)).toMatchObject({
      exitCode: 1,
      stderr: `FW_MIGRATE_FOLDER: migrations: there is no folder ${nowhere}\n`,
    });
  }, 30_000);
});
