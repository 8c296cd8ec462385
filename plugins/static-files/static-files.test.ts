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

  test('ranges are of the file itself, and never go on with a compressed answer', async () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
    await writeFile(path.join(root, 'public/large.txt'), text);
    await using app = await bootTestApp({
      root,
      plugins: [
        plugin(() => import('../http/index.js'), { port: 0 }),
        plugin(() => import('../middleware/compression/index.js')),
        plugin(() => import('./index.js'), {}),
      ],
    });
    const file = `${app.services.get(HttpServer).url}/public/large.txt`;
    const ask = async (headers: Record<string, string>) => {
      const answer = await fetch(file, { headers });
      const of = (name: string) => answer.headers.get(name);
      return {
        of,
        facts: [answer.status, of('Content-Encoding'), of('Accept-Ranges'), of('Vary')],
        body: await answer.text(),
      };
    };
    const whole = await ask({ 'Accept-Encoding': 'gzip' });
    expect([whole.facts, whole.body]).toEqual([[200, 'gzip', null, 'Accept-Encoding'], text]);
    const plain = await ask({ 'Accept-Encoding': 'identity' });
    expect(plain.facts).toEqual([200, null, 'bytes', 'Accept-Encoding']);
    const part = { 'Accept-Encoding': 'gzip', Range: 'bytes=4-' };
    const rest = await ask(part);
    expect([rest.facts, rest.body]).toEqual([[206, null, 'bytes', 'Accept-Encoding'], text.slice(4)]);
    // The tag of both is weak, so that no client can go on with the bytes of another coding.
    const tag = whole.of('ETag') as string;
    expect([tag.startsWith('W/'), plain.of('ETag')]).toEqual([true, tag]);
    const unsure = await ask({ ...part, 'If-Range': tag });
    expect([unsure.facts, unsure.body]).toEqual([[200, 'gzip', null, 'Accept-Encoding'], text]);
  });

  test('a file of an unknown kind is bytes and never a page, however large', async () => {
    const texts = { 'note.unknown': '<script>alert(1)</script>', NOTICE: '<h1>x</h1>', 'empty.unknown': '' };
    for (const [name, text] of Object.entries(texts)) await writeFile(path.join(root, 'public', name), text);
    await using app = await boot();
    const { url } = app.services.get(HttpServer);
    for (const [name, text] of Object.entries(texts)) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await fetch(`${url}/public/${name}`, { method });
        expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
          'application/octet-stream',
          method === 'GET' ? text : '',
        ]);
      }
    }
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
