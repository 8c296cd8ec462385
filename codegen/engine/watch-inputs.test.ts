import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../kernel/testing/until.js';
import { WatchedFolders } from './watch-inputs.js';

let root: string;
let folders: WatchedFolders;
let changes: number;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'fw-watch-'));
  changes = 0;
  folders = new WatchedFolders(
    () => changes++,
    () => undefined,
  );
});

afterEach(() => {
  folders.set(new Set());
  rmSync(root, { recursive: true, force: true });
});

test('a folder that was deleted meanwhile is left out, and the others are watched', async () => {
  const gone = path.join(root, 'gone');
  expect(folders.set(new Set([gone, root]))).toBe(true);
  writeFileSync(path.join(root, 'a.ts'), '');
  await until(() => changes > 0, 'change');
  // What was not watched counts as new only when it is watched.
  expect(folders.set(new Set([gone, root]))).toBe(false);
  mkdirSync(gone);
  expect(folders.set(new Set([gone, root]))).toBe(true);
});

test.each([
  ['deleted', (folder: string) => rmSync(folder, { recursive: true })],
  ['moved', (folder: string) => renameSync(folder, `${folder}-before`)],
])('a folder that was %s, and is there again before anybody looked, is watched', async (_how, remove) => {
  const folder = path.join(root, 'app');
  mkdirSync(folder);
  folders.set(new Set([folder]));
  remove(folder);
  mkdirSync(folder);
  await until(() => changes > 0, 'change of the folder itself');
  folders.set(new Set([folder]));
  changes = 0;
  writeFileSync(path.join(folder, 'a.ts'), '');
  await until(() => changes > 0, 'change in the folder', 5_000);
});
