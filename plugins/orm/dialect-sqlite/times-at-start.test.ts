import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { plugin } from '../../../kernel/index.js';
import { bootTestApp } from '../../../kernel/testing/index.js';
import orm, { Database, registerModel } from '../index.js';

class Session {}
registerModel(Session, {
  name: 'Session',
  table: 'sessions',
  columns: [
    { property: 'id', column: 'id', kind: 'int', primaryKey: true, autoincrement: true },
    { property: 'ends', column: 'ends', kind: 'date' },
    { property: 'began', column: 'began', kind: 'date', format: 'unix' },
  ],
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-times-'));
});
afterEach(() => rmSync(root, { recursive: true }));

async function warnings(profile: string, more: object = {}, sql?: string): Promise<readonly string[]> {
  const options = { driver: 'sqlite', file: path.join(root, 'app.db'), ...more } as never;
  const app = await bootTestApp({ profile, root, plugins: [plugin(async () => orm, options)] });
  if (sql !== undefined) await app.services.get(Database).sqlDB().script(sql);
  await app.stop();
  return app.log.messages('warn');
}

test('a start names columns whose times are of another form than conditions compare, with what to declare', async () => {
  const row = "INSERT INTO sessions (ends, began) VALUES ('2024-05-06 07:08:09', 1714979289)";
  await warnings('test', {}, row);
  const told = [
    'sessions.ends holds times as YYYY-MM-DD hh:mm:ss, and Session.ends says no format: conditions find other rows than they mean, and reading it fails; say format=YYYY-MM-DD hh:mm:ss in its tag',
  ];
  expect(await warnings('dev')).toEqual(told);
  expect(await warnings('dev', { schema: 'sync-dev' })).toEqual(told);
  expect(await warnings('prod')).toEqual(told);
  expect(await warnings('prod', { drift: 'ignore' })).toEqual([]);
  expect(await warnings('test')).toEqual([]);
});

test('a start says nothing of times in the form of the framework', async () => {
  await warnings('test', {}, "INSERT INTO sessions (ends, began) VALUES ('2024-05-06T07:08:09.000Z', 1714979289)");
  expect(await warnings('prod')).toEqual([]);
});
