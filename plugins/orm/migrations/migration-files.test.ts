import { afterEach, beforeEach, expect } from '@jest/globals';
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openAny, test } from '../contract/any-database.js';
import { migrations, readMigrations, writeNewMigration } from './index.js';
import { builtOf } from './migration-files.js';

let root: string;
let folder: string;
let built: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-files-')));
  folder = path.join(root, 'app/migrations');
  built = builtOf(root, folder);
  await mkdir(folder, { recursive: true });
  await mkdir(built, { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

const put = (place: string, file: string, text: string) => writeFile(path.join(place, file), text);

test('a migration in TypeScript is taken as it was compiled', async () => {
  await put(folder, '1_slugs.ts', 'export const move: never = (');
  await put(built, '1_slugs.js', 'export const move = () => "moved";');
  const [migration] = await readMigrations(folder, { built });
  expect([migration?.version, migration?.name, await migration?.move?.({} as never)]).toEqual(['1', 'slugs', 'moved']);
});

test('one in SQL may move data in code', async () => {
  await put(folder, '1_slugs.up.sql', 'ALTER TABLE pets ADD slug varchar(20)');
  await put(folder, '1_slugs.mts', '');
  await put(built, '1_slugs.mjs', 'export const move = () => undefined;');
  const [migration, ...others] = await readMigrations(folder, { built });
  expect([Object.keys(migration ?? {}).sort(), others]).toEqual([
    ['checksum', 'move', 'name', 'scripts', 'up', 'version'],
    [],
  ]);
});

test('other line ends of a checkout are no change of a migration', async () => {
  const db = await openAny([]);
  const sql = 'CREATE TABLE things (\n  id int\n);\n';
  const runner = async (text: string) => {
    await put(folder, '1_things.up.sql', text);
    return migrations.new(db, 'ledger').register(...(await readMigrations(folder)));
  };
  const stateOf = async (text: string) => (await (await runner(text)).status())[0]?.state;
  const [unix, windows] = [sql, sql.replaceAll('\n', '\r\n')];
  await (await runner(windows)).up();
  expect([await stateOf(windows), await stateOf(unix)]).toEqual(['applied', 'applied']);
  expect(await stateOf(sql.replace('int', 'text'))).toBe('changed');
});

test('one that was not built says so', async () => {
  await put(folder, '1_slugs.ts', '');
  await expect(readMigrations(folder, { built })).rejects.toMatchObject({
    code: 'FW_MIGRATE_FILE',
    details: {
      file: '1_slugs.ts',
      problem: `it is TypeScript, and there is no ${path.join(built, '1_slugs.js')}; run npx --no -- fw build`,
    },
  });
});

test('what exports no step is none', async () => {
  await put(folder, '1_slugs.js', 'export const other = 1;');
  await expect(readMigrations(folder)).rejects.toMatchObject({
    details: { problem: 'it exports none of up, down, seed, move' },
  });
});

test('what is built of a folder stands in dist, and what is outside of the project where it is', () => {
  expect(built).toBe(path.join(root, 'dist/app/migrations'));
  expect(builtOf(root, '/elsewhere/migrations')).toBe('/elsewhere/migrations');
});

test('a new one in code has a step for the schema, one for data, and a way back', async () => {
  const place = { root, folder, print: () => undefined, now: () => new Date('2026-01-31T12:00:00Z') };
  await writeNewMigration(place, { name: 'Fill slugs', code: true });
  expect(await readdir(folder)).toEqual(['20260131120000_fill_slugs.ts']);
  const text = await readFile(path.join(folder, '20260131120000_fill_slugs.ts'), 'utf8');
  expect(text.match(/^export const \w+: \w+/gm)).toEqual([
    'export const up: MigrationStep',
    'export const move: MoveStep',
    'export const down: MigrationStep',
  ]);
});
