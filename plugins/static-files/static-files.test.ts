import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DiagnosticsRegistry, disableCounters, enableCounters, HttpServer, plugin } from '../../kernel/index.js';
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

  test('tells what it serves, what it has served, and that its folder is gone', async () => {
    const gone = path.join(root, 'gone');
    await mkdir(gone);
    await writeFile(path.join(gone, 'a.txt'), '0123456789');
    await using app = await boot({ root: 'gone', prefix: '/files' });
    const { url } = app.services.get(HttpServer);
    const report = () => app.services.get(DiagnosticsRegistry).get('static');
    const mount = { prefix: '/files', root: gone, root_abs: await realpath(gone), root_found: true };
    expect(report()).toMatchObject({
      status: 'ok',
      summary: `/files from ${gone}`,
      detail: { mounts: [mount], counting: false },
    });
    enableCounters();
    try {
      await (await fetch(`${url}/files/a.txt`)).text();
      await (await fetch(`${url}/files/a.txt`, { headers: { Range: 'bytes=0-3' } })).text();
      await fetch(`${url}/files/a.txt`, { headers: { 'If-None-Match': '*' } });
      await fetch(`${url}/files/b.txt`);
      expect(report()?.detail).toMatchObject({ files_served: 3, not_found: 1, bytes: 14 });
    } finally {
      disableCounters();
    }
    await rm(gone, { recursive: true });
    expect((await fetch(`${url}/files/a.txt`)).status).toBe(404);
    expect(report()).toMatchObject({ status: 'degraded', detail: { mounts: [{ root_found: false }] } });
  });

  test('can be told apart from not being installed', async () => {
    await using app = await bootTestApp({ root, plugins: [plugin(() => import('../http/index.js'), { port: 0 })] });
    for (const subsystem of ['static', 'websocket', 'i18n'])
      expect(app.services.get(DiagnosticsRegistry).get(subsystem)).toMatchObject({
        status: 'off',
        summary: expect.stringMatching(/Add plugin\(\(\) => import\('fw\//),
      });
  });
});
