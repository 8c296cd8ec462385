import { expect, test } from '@jest/globals';
import completeDocs from './complete-docs.js';

const wordsFor = async (...words: readonly string[]) =>
  (await completeDocs({ words, cwd: process.cwd() })).map(({ word }) => word);

test('a page of fw docs is completed: guides by their names, every page by its path', async () => {
  expect(await wordsFor('')).toEqual(expect.arrayContaining(['orm.md', 'recipes.md']));
  expect(await wordsFor('')).not.toContain('errors.md');
  expect(await wordsFor('reference/')).toEqual(expect.arrayContaining(['guides/orm.md', 'reference/errors.md']));
  const [first] = await completeDocs({ words: ['recipes'], cwd: process.cwd() });
  expect(first?.about).not.toBe('');
});

test('a question and an option are not', async () => {
  expect(await wordsFor('how', 'do')).toEqual([]);
  expect(await wordsFor('--l')).toEqual([]);
});
