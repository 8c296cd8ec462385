import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest, sendRaw, servePlain } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import logging, { formatLine, loggingMiddleware, type RequestLine } from './index.js';

async function linesOf(app: Koa, lines: RequestLine[], ask: (url: string, port: number) => Promise<unknown>) {
  const times = [100, 102.5, 200, 201, 300, 301];
  const handle = loggingMiddleware({
    write: (line) => lines.push(line),
    skip: (ctx) => ctx.path === '/healthz',
    now: () => 0,
    monotonic: () => times.shift() ?? 0,
  });
  app.middleware.unshift(handle);
  await using server = await servePlain(app);
  await ask(server.url, server.port);
  return handle;
}

describe('loggingMiddleware', () => {
  test('writes one line per request with method, path, status and duration [MW-LOGGING-01]', async () => {
    const lines: RequestLine[] = [];
    const app = new Koa().use((ctx) => {
      ctx.status = 204;
    });
    await linesOf(app, lines, (url) => fetch(`${url}/a/b?secret=1`, { method: 'DELETE' }));
    expect(lines).toEqual([{ method: 'DELETE', path: '/a/b', status: 204, durationMs: 2.5, startedAt: 0 }]);
    expect(formatLine(lines[0] as RequestLine)).toBe('[fw][1970-01-01T00:00:00.000Z] DELETE /a/b -> 204 (2.500ms)');
  });

  test('writes the status that a thrown error means', async () => {
    const lines: RequestLine[] = [];
    const app = new Koa().use((ctx) => (ctx.path === '/gone' ? ctx.throw(410) : Promise.reject(new Error('x'))));
    app.silent = true;
    await linesOf(app, lines, (url) => fetch(`${url}/gone`).then(() => fetch(`${url}/broken`)));
    expect(lines.map(({ status }) => status)).toEqual([410, 500]);
  });

  test('writes the status that the client gets for a body that JSON cannot say', async () => {
    const itself: Record<string, unknown> = {};
    itself['itself'] = itself;
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(logging)),
      routesUnderTest((router) => router.get('/', () => itself)),
    ];
    await using app = await bootTestApp({ plugins });
    expect((await fetch(app.services.get(HttpServer).url)).status).toBe(500);
    expect(app.log.lines.find(({ message }) => message === 'request')).toMatchObject({ fields: { status: 500 } });
  });

  test('keeps a line a line, whatever the path', async () => {
    const lines: RequestLine[] = [];
    const request = 'GET /a\x85b%0d%0a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    await linesOf(new Koa(), lines, (_url, port) => sendRaw(port, request));
    expect(lines.map(({ path }) => path).join()).not.toMatch(/[^\x21-\x7e]/);
  });

  test('leaves out what is skipped, and counts both', async () => {
    const lines: RequestLine[] = [];
    const handle = await linesOf(new Koa(), lines, (url) => fetch(`${url}/healthz`));
    expect(lines).toEqual([]);
    expect(handle.probe()).toMatchObject({ status: 'ok', detail: { logged: 0, skipped: 0, counting: false } });
  });

  test('logs refused requests through the application log as a plugin', async () => {
    const routes = routesUnderTest(() => {});
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(logging), { skip: ['/quiet'] }),
      routes,
    ];
    await using app = await bootTestApp({ plugins });
    const { url } = app.services.get(HttpServer);
    await fetch(`${url}/none`);
    await fetch(`${url}/quiet`);
    expect(app.log.lines.filter(({ message }) => message === 'request')).toMatchObject([
      { level: 'info', fields: { method: 'GET', path: '/none', status: 404 } },
    ]);
  });
});
