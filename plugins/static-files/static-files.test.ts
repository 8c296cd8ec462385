import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer, plugin } from '../../kernel/index.js';
import { bootTestApp } from '../../kernel/testing/index.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-static-'));
  await mkdir(path.join(root, 'public'));
  await writeFile(path.join(root, 'public/index.html'), '<h1>Hello</h1>');
  await writeFile(path.join(root, 'secret.txt'), 'secret');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const boot = (options: { root?: string; prefix?: string; cacheControl?: string } = {}) =>
  bootTestApp({
    root,
    plugins: [plugin(() => import('../http/index.js'), { port: 0 }), plugin(() => import('./index.js'), options)],
  });

describe('fw/static', () => {
  test('serves a folder next to app.config.ts, whatever the current directory is', async () => {
    await using app = await boot({ cacheControl: 'public, max-age=60' });
    const { url } = app.services.get(HttpServer);
    const page = await fetch(`${url}/public/`);
    expect([page.status, page.headers.get('cache-control'), await page.text()]).toEqual([
      200,
      'public, max-age=60',
      '<h1>Hello</h1>',
    ]);
    expect((await fetch(`${url}/public/../secret.txt`)).status).toBe(404);
    expect((await fetch(`${url}/public/%2e%2e/secret.txt`)).status).toBe(404);
  });

  test('does not start over a folder that is not there, and says which', async () => {
    await expect(boot({ root: 'nowhere' })).rejects.toThrow(/nowhere/);
    await expect(boot({ prefix: 'public' })).rejects.toThrow(/prefix/);
  });
});
