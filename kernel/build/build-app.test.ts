import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { buildApp } from './build-app.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(path.join(tmpdir(), 'fw-build-'))));
afterEach(() => rm(root, { recursive: true }));

async function project(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

const built = async () =>
  (await readdir(path.join(root, 'dist'), { recursive: true })).filter((f) => f.endsWith('.js'));

describe('buildApp', () => {
  test('compiles what app.config.ts reaches, wherever it lies, and the usual folders', async () => {
    await project({
      'app.config.ts': "export default { plugins: [() => import('./shop/plugin.js')] };",
      'shop/plugin.ts': "import { price } from './deep/price.js';\nexport default price;",
      'shop/deep/price.ts': 'export const price: number = 1;',
      'app/worker.ts': 'export const work = () => 1;',
      'app/worker.test.ts': 'throw new Error("a test is no part of the application");',
      'elsewhere/unused.ts': 'export {};',
    });
    const { files } = await buildApp({ root });
    expect((await built()).sort()).toEqual(['app.config.js', 'app/worker.js', 'shop/deep/price.js', 'shop/plugin.js']);
    expect(files).toBe(4);
  });

  test('names the file and line of an import that leads nowhere', async () => {
    await project({ 'app.config.ts': "export default () => import('./generated/index.js');" });
    await expect(buildApp({ root })).rejects.toMatchObject({
      code: 'FW_BUILD_FAILED',
      message: expect.stringContaining('app.config.ts:1:'),
    });
  });

  test('compiles only what it is told to', async () => {
    await project({ 'app.config.ts': "import './other.js';", 'other.ts': '', 'one.ts': 'export {};' });
    await buildApp({ root, include: ['one.ts'] });
    expect(await built()).toEqual(['one.js']);
  });
});
