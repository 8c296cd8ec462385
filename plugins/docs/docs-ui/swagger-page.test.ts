import { expect, jest, test } from '@jest/globals';
import * as files from 'node:fs/promises';

let isBusy = true;
const readFile = (name: string) =>
  isBusy ? Promise.reject(new Error('EMFILE: too many open files')) : files.readFile(name);
jest.unstable_mockModule('node:fs/promises', () => ({ ...files, readFile }));
const { SwaggerPage } = await import('./swagger-page.js');

test('reads a file again that could not be read before', async () => {
  const page = new SwaggerPage();
  await expect(page.file('docs-ui.css')).rejects.toThrow('EMFILE');
  isBusy = false;
  expect(await page.file('docs-ui.css')).toMatchObject({ type: 'text/css; charset=utf-8' });
});
