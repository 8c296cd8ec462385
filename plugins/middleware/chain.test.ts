import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { bodyParser } from '@koa/bodyparser';
import koaCors from '@koa/cors';
import Koa from 'koa';
import helmet from 'koa-helmet';
import koaSession from 'koa-session';
import { Type } from 'typebox';
import {
  type AnyMiddleware,
  definePlugin,
  enableCounters,
  HttpMiddleware,
  HttpServer,
  plugin,
  type Plugin,
} from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, servePlain } from '../../kernel/testing/index.js';
import http from '../http/index.js';
import { compressionMiddleware } from './compression/index.js';
import { keyOfTarget } from './etag/key-of-target.js';
import { newETagCache } from './etag/index.js';
import { generateJWT } from './jwt/index.js';
import { loggingMiddleware } from './logging/index.js';
import { type MiddlewareName, nineMiddlewares, SECRET, SPEC_ORDER, TWELVE } from './testing/nine-middlewares.js';

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fw-chain-'));
  await writeFile(path.join(root, 'en.json'), '{"hello":"Hello"}');
});
afterAll(() => rm(root, { recursive: true }));

const routes = routesUnderTest(
  (router) => {
    const body = Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) });
    router.get('/ok', () => ({ text: 'x'.repeat(2000) }));
    router.get('/boom', () => {
      throw new Error('boom');
    });
    router.post('/bind', { input: { body } }, (ctx) => ctx.input.body);
    router.get('/visits', (ctx) => {
      const session = (ctx as unknown as { session: { visits?: number } }).session;
      session.visits = (session.visits ?? 0) + 1;
      return { visits: session.visits };
    });
    router.get('/admin/x', (ctx) => ({ by: ctx.state['user'] }));
  },
  [
    koaCors({ origin: () => '', keepHeadersOnError: false }),
    helmet({
      contentSecurityPolicy: false,
      xFrameOptions: false,
      referrerPolicy: false,
      hsts: false,
      xXssProtection: false,
      crossOriginResourcePolicy: false,
      crossOriginOpenerPolicy: false,
      xContentTypeOptions: false,
    }),
  ],
);

/** A middleware from npm as a plugin; some want the Koa application before its first request. */
const between = (id: string, make: (server: HttpServer) => AnyMiddleware): Plugin<object> =>
  definePlugin({
    id,
    category: 'app',
    description: 'A middleware from npm',
    register({ contribute }) {
      contribute(HttpMiddleware, (services) => ({ name: id, handle: make(services.get(HttpServer)) }));
    },
  });

async function boot(
  order: readonly MiddlewareName[] = SPEC_ORDER,
  requests?: number,
  after: Partial<Record<MiddlewareName, Plugin<object>>> = {},
) {
  const all = nineMiddlewares(requests);
  const chain = order.flatMap((name) => [all[name], ...(after[name] ? [after[name]] : [])]);
  const app = await bootTestApp({
    root,
    plugins: [plugin(() => Promise.resolve(http), { port: 0 }), ...chain, routes],
  });
  running.push(app);
  return { app, url: app.services.get(HttpServer).url };
}

const twelveOf = (headers: Headers) => Object.fromEntries(Object.keys(TWELVE).map((name) => [name, headers.get(name)]));

describe('the nine middlewares together', () => {
  test('carry the twelve headers on every kind of answer, with npm middlewares among them [MW-OVERVIEW-01, MW-SHAPE-03]', async () => {
    const { url } = await boot();
    const first = await fetch(`${url}/ok`);
    const tag = first.headers.get('etag') as string;
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const json = { 'Content-Type': 'application/json' };
    const preflight = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' };
    const answers: [number, Response][] = [
      [200, first],
      [304, await fetch(`${url}/ok`, { headers: { 'If-None-Match': tag } })],
      [404, await fetch(`${url}/none`)],
      [422, await fetch(`${url}/bind`, { method: 'POST', headers: json, body: '{}' })],
      [500, await fetch(`${url}/boom`)],
      [204, await fetch(`${url}/admin/x`, { method: 'OPTIONS', headers: preflight })],
      [401, await fetch(`${url}/admin/x`)],
      [405, await fetch(`${url}/ok`, { method: 'DELETE' })],
    ];
    for (const [status, { status: actual, headers }] of answers) {
      expect([status, actual, twelveOf(headers)]).toEqual([status, status, TWELVE]);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([status, '*']);
      expect([status, headers.get('content-language')]).toEqual([status, 'en']);
    }
  });

  const outside = [
    plugin(() => import('../fleet/tracer/index.js'), { enabled: true, serviceName: 'chain' }),
    plugin(() => import('../dashboard/index.js'), {}),
  ];
  const inside = [plugin(() => import('../docs/index.js'), { checkResponses: true })];
  test.each([
    { who: 'the nine', before: [], after: [] },
    { who: 'the nine between the tracer, the dashboard and the check of responses', before: outside, after: inside },
  ])('$who make no promise for a request that nothing has to wait for', async ({ before, after }) => {
    const atOnce = routesUnderTest((router) => {
      router.get('/at-once', () => ({ a: 1 }));
      router.get('/later', () => Promise.resolve({ a: 1 }));
    });
    const nine = Object.values(nineMiddlewares());
    const app = await bootTestApp({
      root,
      plugins: [plugin(() => Promise.resolve(http), { port: 0 }), ...before, ...nine, ...after, atOnce],
    });
    running.push(app);
    const { koa, url } = app.services.get(HttpServer);
    const application = koa as unknown as { handleRequest(...args: readonly unknown[]): unknown };
    const handle = application.handleRequest.bind(application);
    const isAwaited: boolean[] = [];
    application.handleRequest = (...args) => {
      const handled = handle(...args);
      isAwaited.push(handled instanceof Promise);
      return handled;
    };
    for (const path of ['/at-once', '/later']) expect((await fetch(url + path)).status).toBe(200);
    expect(isAwaited).toEqual([false, true]);
  });

  test('let npm middlewares work between them: a session in cookies, a body parser', async () => {
    const session = between('session', (server) => {
      server.koa.keys = ['a key of the tests'];
      return koaSession({ signed: true }, server.koa);
    });
    const parser = between('body-parser', () => bodyParser());
    const { app, url } = await boot(SPEC_ORDER, 1000, { 'rate-limit': session, jwt: parser });
    const { [2]: limiter, [3]: second, [7]: auth, [8]: third } = app.services.get(HttpServer).middlewares();
    expect([limiter, second, auth, third]).toEqual(['rate-limit', 'session', 'jwt', 'body-parser']);

    const visit = (cookie: string) => fetch(`${url}/visits`, { headers: { cookie } });
    const first = await visit('');
    const cookies = first.headers.getSetCookie().map((each) => each.split(';')[0]);
    expect([await first.json(), await (await visit(cookies.join('; '))).json()]).toEqual([
      { visits: 1 },
      { visits: 2 },
    ]);

    const bind = (body: string, type: string) =>
      fetch(`${url}/bind`, { method: 'POST', headers: { 'Content-Type': type }, body });
    const form = 'application/x-www-form-urlencoded';
    const json = 'application/json';
    expect(await (await bind('{"name":"a","age":3,"more":1}', json)).json()).toEqual({ name: 'a', age: 3 });
    expect(await (await bind('name=a&age=3', form)).json()).toEqual({ name: 'a', age: 3 });
    expect((await bind('{"name":"a","age":"3"}', json)).status).toBe(422);
    expect((await bind('{"name"', json)).status).toBe(400);
  });

  test('refuse with a 429 that carries the message and of the inner headers those of CORS', async () => {
    const { app, url } = await boot(SPEC_ORDER, 1);
    await fetch(`${url}/ok`);
    const refused = await fetch(`${url}/admin/x`);
    const headers = Object.fromEntries([...refused.headers].filter(([name]) => name !== 'date'));
    expect([refused.status, await refused.text()]).toEqual([429, 'Rate limit exceeded: max 1 requests per 1m0s']);
    expect(headers).toEqual({
      'access-control-allow-methods': 'GET',
      'access-control-allow-origin': '*',
      connection: 'keep-alive',
      'content-length': '44',
      'content-type': 'text/plain; charset=utf-8',
      'keep-alive': 'timeout=120',
      'retry-after': '60',
    });
    expect(app.log.lines.filter(({ message }) => message === 'request').map(({ fields }) => fields['status'])).toEqual([
      200, 429,
    ]);
  });

  test('give a 304 only to an allowed caller [MW-ORDER-ETAG]', async () => {
    const { url } = await boot();
    const authorization = { Authorization: `Bearer ${await generateJWT(SECRET, { user_id: 1 }, '1m')}` };
    const tag = (await fetch(`${url}/admin/x`, { headers: authorization })).headers.get('etag') as string;
    const ask = async (headers: Record<string, string>) =>
      (await fetch(`${url}/admin/x`, { headers: { ...headers, 'If-None-Match': tag } })).status;
    expect([await ask(authorization), await ask({})]).toEqual([304, 401]);
  });

  test('register nine probes that tell installed from not installed [MW-PROBE-01]', async () => {
    const keys = ['recovery', 'logging', 'ratelimit', 'locale', 'cors', 'security', 'jwt', 'etag', 'compression'];
    const { app } = await boot();
    const bare = await boot([]);
    expect(keys.map((key) => app.diagnostics.get(key)?.status)).toEqual(Array(9).fill('ok'));
    expect(keys.map((key) => bare.app.diagnostics.get(key)?.status)).toEqual(Array(9).fill('off'));
    expect(bare.app.diagnostics.get('cors')?.summary).toBe(
      "Not installed. Add plugin(() => import('fw/middleware/cors')) to app.config.ts.",
    );
  });

  test('touch no container while they answer', async () => {
    const { app, url } = await boot();
    enableCounters();
    const before = app.services.resolutions;
    for (let each = 0; each < 5; each++) await fetch(`${url}/ok`);
    expect(app.services.resolutions).toBe(before);
  });
});

describe('a wrong order', () => {
  const swapped = (first: MiddlewareName, second: MiddlewareName) =>
    SPEC_ORDER.map((name) => (name === first ? second : name === second ? first : name));

  test.each<[MiddlewareName, MiddlewareName, string]>([
    [
      'recovery',
      'logging',
      'middleware/recovery must come before middleware/logging, because it is the outermost one and catches panics from everything after it.',
    ],
    [
      'logging',
      'rate-limit',
      'middleware/logging must come before middleware/rate-limit, because it stands outside the rate limiter, so that rejected requests are logged.',
    ],
    [
      'rate-limit',
      'locale',
      'middleware/rate-limit must come before middleware/locale, because it refuses requests before auth and handler work is done for them.',
    ],
    [
      'locale',
      'cors',
      'middleware/locale must come before middleware/cors, because it stands before anything that renders text.',
    ],
    [
      'cors',
      'jwt',
      'middleware/cors must come before middleware/jwt, because it answers the OPTIONS preflight before auth rejects it.',
    ],
    ['cors', 'jwt', 'middleware/jwt must come after middleware/cors, because CORS must answer preflights'],
    [
      'cors',
      'security-headers',
      'middleware/security-headers must come after middleware/cors, because CORS must not overwrite its headers',
    ],
    ['security-headers', 'jwt', 'middleware/security-headers must come before middleware/jwt'],
    [
      'jwt',
      'etag',
      'middleware/etag must come after middleware/jwt, because inside auth a 304 is served only to an allowed caller',
    ],
    [
      'etag',
      'compression',
      'middleware/compression must come after middleware/etag, because it is the innermost one and rewrites the finished body.',
    ],
  ])(
    'of %s and %s is refused at boot with the reason [MW-ORDER-RECOVERY, MW-ORDER-LOGGING, MW-ORDER-RATE, MW-ORDER-LOCALE, MW-ORDER-CORS, MW-ORDER-SECURITY, MW-ORDER-JWT, MW-ORDER-COMPRESSION]',
    async (first, second, sentence) => {
      await expect(boot(swapped(first, second))).rejects.toMatchObject({
        code: 'FW_PLUGIN_ORDER',
        message: expect.stringContaining(sentence),
      });
    },
  );
});

test('what a middleware reads from the request it reads before next: a handler that changes it changes nothing [MW-SHAPE-02]', async () => {
  const lines: string[] = [];
  const cache = newETagCache();
  const app = new Koa()
    .use(loggingMiddleware({ write: ({ method, path: target }) => lines.push(`${method} ${target}`) }))
    .use(cache.etagMiddleware())
    .use(compressionMiddleware({ threshold: 0 }))
    .use((ctx) => {
      Object.assign(ctx.req, { url: '/changed', method: 'POST' });
      delete ctx.req.headers['accept-encoding'];
      delete ctx.req.headers['if-none-match'];
      ctx.body = 'x'.repeat(100);
    });
  await using server = await servePlain(app);
  const headers = { 'Accept-Encoding': 'gzip', 'Cache-Control': 'max-age=0' };
  const first = await fetch(`${server.url}/first`, { headers });
  expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'gzip']);
  const tag = first.headers.get('etag') as string;
  expect(cache.get(keyOfTarget('/first', 'gzip'))).toBe(tag);
  const again = await fetch(`${server.url}/first`, { headers: { ...headers, 'If-None-Match': tag } });
  expect(again.status).toBe(304);
  expect(lines).toEqual(['GET /first', 'GET /first']);
});
