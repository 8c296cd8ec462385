import { beforeEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { disableCounters, enableCounters, fwError, type Middleware, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest, servePlain } from '../../../kernel/testing/index.js';
import { HttpServer } from '../../../kernel/index.js';
import http from '../../http/index.js';
import { HTTP_ERRORS } from '../../http/errors.js';
import recovery, { type Panic, recoveryMiddleware } from './index.js';

beforeEach(() => disableCounters());

describe('recoveryMiddleware in a plain Koa application', () => {
  test('answers a panic with 500 and reports it with its stack [MW-RECOVERY-01, MW-RECOVERY-02, MW-RECOVERY-03, ERR-MW-PANIC]', async () => {
    const panics: Panic[] = [];
    const app = new Koa().use(recoveryMiddleware({ report: (panic) => panics.push(panic) }));
    app.use(() => {
      throw new Error('hunter2');
    });
    await using server = await servePlain(app);
    const response = await fetch(`${server.url}/boom?x=1`);
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json']);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      instance: '/boom',
    });
    expect(panics).toMatchObject([{ method: 'GET', path: '/boom' }]);
    expect(panics[0]?.stack).toMatch(/^Error: hunter2\n {4}at .*recovery\.test/);
  });

  test('replaces a body that was begun, and keeps the headers of outer middlewares', async () => {
    const app = new Koa();
    app.use((ctx, next) => (ctx.set('X-Outer', 'kept'), next()));
    app.use(recoveryMiddleware({ report: () => {} }));
    app.use((ctx) => {
      ctx.body = { half: 'done' };
      ctx.set('ETag', '"stale"');
      throw new TypeError('x');
    });
    await using server = await servePlain(app);
    const response = await fetch(server.url);
    expect(response.headers.get('x-outer')).toBe('kept');
    expect(response.headers.get('etag')).toBeNull();
    expect(await response.json()).toMatchObject({ status: 500 });
  });

  test('counts panics with time and value, whether counters run or not [MW-RECOVERY-04, MW-RECOVERY-05, MW-RECOVERY-06]', async () => {
    const handle = recoveryMiddleware({ report: () => {}, now: () => Date.UTC(2026, 0, 2) });
    expect(handle.probe()).toMatchObject({ status: 'ok', detail: { panics_recovered: 0 } });
    const app = new Koa().use(handle).use(() => {
      throw new Error('x'.repeat(400));
    });
    await using server = await servePlain(app);
    await fetch(server.url);
    await fetch(server.url);
    expect(handle.probe()).toMatchObject({
      status: 'degraded',
      detail: {
        panics_recovered: 2,
        last_panic_at: '2026-01-02T00:00:00.000Z',
        last_panic: `Error: ${'x'.repeat(293)}…`,
        counting: false,
        requests_completed: 0,
        aborted: 0,
      },
    });
  });

  test.each([['text'], [{ toString: null }], [undefined], [Symbol('s')]])(
    'recovers from throwing %p',
    async (value) => {
      const panics: Panic[] = [];
      const app = new Koa().use(recoveryMiddleware({ report: (panic) => panics.push(panic) }));
      app.use(() => Promise.reject(value));
      await using server = await servePlain(app);
      expect((await fetch(server.url)).status).toBe(500);
      expect(panics).toHaveLength(1);
    },
  );

  test('lets an error that says its status keep it, and does not count it', async () => {
    const handle = recoveryMiddleware({ report: () => {} });
    const app = new Koa().use(handle).use((ctx) => {
      if (ctx.path === '/fw') throw fwError(HTTP_ERRORS.FW_HTTP_NOT_FOUND, { method: 'GET', path: '/fw' });
      ctx.throw(409, 'taken');
    });
    await using server = await servePlain(app);
    expect((await fetch(`${server.url}/fw`)).status).toBe(404);
    expect(await (await fetch(server.url)).json()).toMatchObject({ status: 409, detail: 'taken' });
    expect(handle.probe()).toMatchObject({ status: 'ok' });
  });

  test('cuts the connection when the status is out already', async () => {
    const app = new Koa().use(recoveryMiddleware({ report: () => {} })).use((ctx) => {
      ctx.res.write('half');
      throw new Error('x');
    });
    await using server = await servePlain(app);
    await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow();
  });
});

describe('the plugin', () => {
  test('logs panics and registers its probe', async () => {
    const routes = routesUnderTest((router) => {
      router.get('/boom', () => {
        throw new Error('boom');
      });
    });
    await using app = await bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0 }), recovery, routes],
    });
    enableCounters();
    expect((await fetch(`${app.services.get(HttpServer).url}/boom`)).status).toBe(500);
    expect(app.log.messages('error')).toEqual(['panic recovered']);
    expect(app.diagnostics.get('recovery')).toMatchObject({
      status: 'degraded',
      detail: { panics_recovered: 1, aborted: 1, counting: true },
    });
  });

  test('tells listeners of the application what it answers, once each, and logs a panic once', async () => {
    const refusing: Middleware = (ctx, next) => (ctx.path === '/refused' ? ctx.throw(402, 'pay') : next());
    const routes = routesUnderTest(
      (router) => {
        router.get('/boom', () => {
          throw new Error('boom');
        });
      },
      [refusing],
    );
    await using app = await bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0 }), recovery, routes],
    });
    const { url, koa } = app.services.get(HttpServer);
    const told: string[] = [];
    koa.on('error', (error: Error, context: { readonly path: string }) => {
      told.push(`${context.path}: ${error.message}`);
      if (error.message === 'later') return;
      // Something of the request that goes wrong behind its answer.
      if (error.message === 'boom') setImmediate(() => koa.emit('error', new Error('later'), context));
      throw new Error('The tracker has a defect.');
    });
    const statusOf = async (path: string) => (await fetch(url + path)).status;
    expect(await Promise.all(['/boom', '/refused'].map(statusOf))).toEqual([500, 402]);
    expect(told.sort()).toEqual(['/boom: boom', '/boom: later', '/refused: pay']);
    expect(app.log.messages('error')).toEqual(['panic recovered', 'request failed']);
  });
});
