import { describe, expect, test } from '@jest/globals';
import { definePlugin, HttpMiddleware, HttpServer, plugin, type Middleware } from '../../kernel/index.js';
import { bootTestApp, routesUnderTest } from '../../kernel/testing/index.js';
import http from './index.js';

/** As routers of npm answer for methods: by what the innermost has left. */
const outside: Middleware = async (ctx, next) => {
  await next();
  const to = ctx.get('x-to');
  if (to !== '') ctx.status = Number(to);
  if (ctx.query['body'] !== undefined) ctx.body = { own: true };
  if (typeof ctx.query['text'] === 'string') ctx.body = ctx.query['text'];
};

const foreign = definePlugin({
  id: 'foreign',
  category: 'middleware',
  description: 'A router of somebody else',
  needs: ['http'],
  register: ({ contribute }) => contribute(HttpMiddleware, () => ({ name: 'foreign', handle: outside })),
});

describe.each(['full', 'public', 'off'] as const)('fast path %s', (fastPath) => {
  test('a problem has the status that a middleware outside gives its response (RFC 9457, section 3.1.2)', async () => {
    await using app = await bootTestApp({
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0, fastPath }),
        plugin(() => Promise.resolve(foreign)),
        routesUnderTest((router) => {
          router.get('/refuses', (ctx) => ctx.throw(409, 'taken'));
        }),
      ],
    });
    const { url } = app.services.get(HttpServer);
    const ask = async (path: string, to: string, method = 'GET') => {
      const response = await fetch(url + path, { method, headers: { 'x-to': to } });
      const text = await response.text();
      const length = Number(response.headers.get('content-length'));
      return { status: response.status, length, body: text === '' ? undefined : (JSON.parse(text) as object) };
    };
    const bare = { type: 'about:blank', title: 'Method Not Allowed', status: 405, instance: '/none' };
    const moved = await ask('/none', '405');
    expect(moved).toEqual({ status: 405, length: JSON.stringify(bare).length, body: bare });
    expect(await ask('/none', '405', 'HEAD')).toEqual({ ...moved, body: undefined });
    expect(await ask('/refuses', '501')).toMatchObject({
      status: 501,
      body: { status: 501, title: 'Not Implemented' },
    });
    expect((await ask('/refuses', '501')).body).not.toHaveProperty('detail');
    expect(await ask('/refuses', '409')).toMatchObject({ status: 409, body: { status: 409, detail: 'taken' } });
    expect(await ask('/refuses', '')).toMatchObject({ status: 409, body: { status: 409, detail: 'taken' } });
    expect(await ask('/refuses?body', '410')).toMatchObject({ status: 410, body: { own: true } });
  });

  test('a text that takes the place of a problem has a type of its own, as in Koa', async () => {
    await using app = await bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0, fastPath }), plugin(() => Promise.resolve(foreign))],
    });
    const { url } = app.services.get(HttpServer);
    const typeOf = async (text: string, to = '', method = 'GET') => {
      const response = await fetch(`${url}/none?text=${encodeURIComponent(text)}`, { method, headers: { 'x-to': to } });
      expect(response.status).toBe(to === '' ? 404 : Number(to));
      expect(await response.text()).toBe(text);
      return response.headers.get('content-type');
    };
    expect(await typeOf('<h1>Nothing here</h1>')).toBe('text/html; charset=utf-8');
    expect(await typeOf('nothing here', '410')).toBe('text/plain; charset=utf-8');
    // What @koa/router answers to OPTIONS.
    expect(await typeOf('', '200', 'OPTIONS')).toBe('text/plain; charset=utf-8');
    expect(await typeOf('{"status":404,"title":"Not Found","shop":7}')).toBe('application/problem+json');
  });
});
