import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { model, open } from '../../index.js';
import { createMissingTables } from '../../schema/index.js';
import { openSqlite, sqlite } from '../index.js';
import { addToTitle, Article, saveArticle } from './row-versions.js';

test('the program of the guide refuses a form that is behind, and adds what several add at once', async () => {
  const db = open(await openSqlite(':memory:'), sqlite);
  await createMissingTables(db, [Article]);
  const { id, version } = await model(db, Article).create({ title: 'A' } as Article);
  await saveArticle(db, { id, version, title: 'B' });
  const behind = saveArticle(db, { id, version, title: 'C' });
  await expect(behind).rejects.toMatchObject({ code: 'FW_ORM_STALE_ROW', status: 409 });
  await Promise.all([addToTitle(db, id, '+'), addToTitle(db, id, '+'), addToTitle(db, id, '+')]);
  expect(await model(db, Article).first()).toEqual({ id, title: 'B+++', version: 5 });
  await db.close();
});

test('every line of the guide to concurrent changes is one of the program', async () => {
  const guide = await readFile(path.resolve('docs/guides/concurrent-changes.md'), 'utf8');
  const program = await readFile(path.join(import.meta.dirname, 'row-versions.ts'), 'utf8');
  const lines = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'));
  const known = new Set(program.split('\n'));
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !known.has(line))).toEqual([]);
});
