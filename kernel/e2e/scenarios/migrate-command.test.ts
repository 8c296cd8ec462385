import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { runProcess } from '../../process/index.js';
import { PATIENCE_MS } from '../../testing/patience.js';

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
    timeoutMs: PATIENCE_MS,
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
  });
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
  });

  test('says which subcommands there are', async () => {
    const ended = await migrate('sideways');
    expect(ended).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/'sideways' is invalid.*up, down, status, diff, new, baseline, resolve/),
    });
  });

  test.each([
    [['down', 'two'], 'down takes a number of migrations, 1 or more, got "two"'],
    [['up', '0'], 'up takes a number of migrations, 1 or more, got "0"'],
    [['up', '--lock-timeout', '0'], '--lock-timeout takes milliseconds, 1 or more, got "0"'],
    [['status', 'all'], 'status takes no argument, got "all"'],
    [['status', '--name', 'x'], 'status takes no option of its own, got --name'],
    [['down', '1', '--drop-tables'], 'down takes --lock-timeout, got --drop-tables'],
    [
      ['diff', 'shop'],
      'diff takes --name <name>, --rename <old>=<new>, --concurrently, --not-valid, --drop-tables and --dry-run, got "shop"',
    ],
    [['diff', '--rename', 'sku'], '--rename takes <table>.<old name>=<new name>, got "sku"'],
    [['baseline', 'one'], 'baseline takes one version at most, and --name <name>, got "one"'],
    [['resolve', '1'], 'resolve takes a version and --as done|undone|applied|rolled-back, got "1"'],
    [['new'], 'new needs a name'],
  ])('refuses %j before it opens the database', async (args, problem) => {
    expect(await fw('migrate', ...args, '--config', 'nowhere.js')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`fw migrate: ${problem}. Usage: fw migrate up [count]`),
    });
  });

  test('writes an empty migration without opening the database', async () => {
    const ended = await fwOn('/dev/null/none', 'migrate', 'new', 'Seed plans', '--dir', path.join(folder, 'seeds'));
    expect(ended.stdout).toMatch(/^wrote .*seeds.\d{14}_seed_plans\.up\.sql\nwrote .*_seed_plans\.down\.sql\n$/);
    expect(await fw('migrate', 'new', '?!')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"?!" gives no file name; use letters and digits'),
    });
  });

  test('says that a folder that was named is not there', async () => {
    const nowhere = path.join(folder, 'nowhere');
    expect(await fw('migrate', 'up', '--dir', nowhere)).toMatchObject({
      exitCode: 1,
      // A line of progress stands before it where the database takes longer than a second.
      stderr: expect.stringContaining(`FW_MIGRATE_FOLDER: migrations: there is no folder ${nowhere}\n`),
    });
  });
});

describe('fw migrate diff, in a project whose dist/ is older than its sources', () => {
  const NOTE = `import { db, type Int, table } from 'fw/orm';

@table('notes')
export class Note {
  @db('id,pk,autoincrement')
  id!: Int;

  @db('title')
  title!: string;
}
`;

  test('generates and builds first, and refuses models that cannot be read', async () => {
    const { root, remove } = await scratchProject('api');
    try {
      const model = path.join(root, 'app/models/note.ts');
      const command = (...args: string[]) =>
        runProcess({
          ...{ command: process.execPath, args: [FW, 'migrate', ...args], cwd: root },
          ...{ timeoutMs: PATIENCE_MS, maxOutputBytes: 100_000 },
        });
      const diff = (...args: string[]) => command('diff', ...args);
      await mkdir(path.join(root, 'node_modules'));
      for (const [name, at] of [
        ['fw', '.'],
        ['better-sqlite3', 'node_modules/better-sqlite3'],
      ] as const)
        await symlink(path.join(ROOT, at), path.join(root, 'node_modules', name));
      await mkdir(path.dirname(model), { recursive: true });
      await writeFile(model, NOTE);
      const first = await diff('--name', 'first');
      expect(first).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('into dist/ (there was no build)\n'),
      });
      expect(await command('up')).toMatchObject({ exitCode: 0 });
      await writeFile(
        model,
        NOTE.replace('title!: string', `title!: string;\n\n  @db('body')\n  body!: string | null`),
      );
      const { statements } = JSON.parse((await diff('--name', 'body', '--json')).stdout) as { statements: string[] };
      expect(statements.join('\n')).toContain('"body" TEXT');
      expect(await command('up')).toMatchObject({ exitCode: 0 });
      const other = path.join(root, 'app/models/other.ts');
      await writeFile(other, NOTE.replace("'notes'", "'others'").replace('Note', 'Other'));
      // What is compiled runs all the same: a migration may have nothing to do with what changed.
      const stale = 'warning: app/models/other.ts changed since dist/ was built: npm run build comes first';
      expect(await command('up')).toMatchObject({ exitCode: 0, stdout: `${stale}\nnothing to apply\n` });
      expect(JSON.parse((await command('status', '--json')).stdout)).toMatchObject({
        messages: expect.arrayContaining([stale]),
      });
      const config = path.join(root, 'dist/app.config.js');
      expect((await command('up', '--config', config)).stdout).toBe('nothing to apply\n');
      expect((await diff('--name', 'other', '--json')).stdout).toContain('app/models/other.ts');
      expect((await command('up')).stdout).toMatch(/^applied \d{14} other\n$/);
      await rm(other);
      await writeFile(model, NOTE.replace('string', 'Sting'));
      const written = await readdir(path.join(root, 'app/migrations'));
      expect(await diff('--name', 'third')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^FW_MIGRATE_SOURCES: .*note\.ts:8: Note\.title has the type Sting/m),
      });
      expect(await readdir(path.join(root, 'app/migrations'))).toEqual(written);
    } finally {
      await remove();
    }
  });
});
