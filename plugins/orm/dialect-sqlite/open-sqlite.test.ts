import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Driver from 'better-sqlite3';
import { openSqlite } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'fw-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

// What another process does to a new file while it puts it into write-ahead mode.
function locked(name: string) {
  const file = join(folder, name);
  const other = new Driver(file);
  other.exec('BEGIN EXCLUSIVE');
  return { file, other };
}

test('a new file that another process has locked is waited for', async () => {
  const { file, other } = locked('waited.db');
  const opening = openSqlite(file);
  await new Promise((resolve) => setTimeout(resolve, 30));
  other.close();
  const handle = await opening;
  expect(await handle.query('PRAGMA journal_mode', [])).toEqual([['wal']]);
  expect(await handle.query('PRAGMA foreign_keys', [])).toEqual([[1]]);
  await handle.close();
});

test('and no longer than the handle waits for locks', async () => {
  const { file, other } = locked('kept.db');
  await expect(openSqlite(file, { busyTimeout: 20 })).rejects.toMatchObject({
    code: 'FW_ORM_CONNECTION',
    message: expect.stringMatching(/kept\.db: .*database is locked$/),
  });
  other.close();
});
