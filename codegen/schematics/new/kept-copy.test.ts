import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keptAlready, keptCopy } from './kept-copy.js';

let checkout: string;
let packed: number;

const write = async (file: string, text: string) => {
  await mkdir(path.dirname(path.join(checkout, file)), { recursive: true });
  await writeFile(path.join(checkout, file), text);
};

const copy = async () => {
  const make = () => Promise.resolve(Buffer.from(`packed ${++packed}`));
  return String(await keptCopy(checkout, 'fw-1.0.0.tgz', make, {}));
};

beforeEach(async () => {
  packed = 0;
  checkout = await mkdtemp(path.join(tmpdir(), 'fw-checkout-'));
  await write('package.json', '{}');
  await write('kernel/boot.ts', 'export {};\n');
});

afterEach(() => rm(checkout, { recursive: true, force: true }));

test('the same sources are packed once, by whoever comes first', async () => {
  expect(await Promise.all([copy(), copy(), copy()])).toEqual(['packed 1', 'packed 1', 'packed 1']);
});

test.each([
  ['a source changes', () => write('kernel/boot.ts', 'export default 1;\n')],
  ['a source is added', () => write('plugins/http/fw.json', '{}')],
  ['a source goes', () => rm(path.join(checkout, 'kernel/boot.ts'))],
  ['another version of a package is locked', () => write('package-lock.json', '{}')],
])('they are packed anew when %s, and only the last copy is kept', async (_, change) => {
  await copy();
  await change();
  expect(await copy()).toBe('packed 2');
  const cache = await readdir(path.join(checkout, 'node_modules/.cache/fw-pack'));
  expect(cache.filter((name) => !name.startsWith('.'))).toHaveLength(1);
});

test('a copy is looked for without making one', async () => {
  expect(await keptAlready(checkout, 'fw-1.0.0.tgz')).toBeUndefined();
  await copy();
  expect(String(await keptAlready(checkout, 'fw-1.0.0.tgz'))).toBe('packed 1');
  await write('kernel/boot.ts', 'export default 2;\n');
  expect(await keptAlready(checkout, 'fw-1.0.0.tgz')).toBeUndefined();
});

test('tests and what is built are no part of it', async () => {
  await copy();
  await write('kernel/boot.test.ts', 'export {};\n');
  await write('kernel/dist/boot.js', 'export {};\n');
  expect(await copy()).toBe('packed 1');
});

test('a copy that could not be made is not kept', async () => {
  const failing = () => Promise.reject(new Error('npm pack failed'));
  await expect(keptCopy(checkout, 'fw-1.0.0.tgz', failing, {})).rejects.toThrow('npm pack failed');
  expect(await copy()).toBe('packed 1');
});
