import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type Koa from 'koa';
import { Type } from 'typebox';
import { type HttpContext, HttpServer, plugin, type RouteAccess, type Router } from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, routesUnderTest, sendRaw } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import { type Access, accessWithin } from '../../http/route-access.js';
import jwt, { generateJWT, generateRefreshToken } from './index.js';

const SECRET = 'x'.repeat(32);
const REFRESH = 'y'.repeat(32);

const running: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop();
});

async function serve(register: (router: Router) => void, options: object = {}) {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, protect: [], ...options }),
      routesUnderTest(register),
    ],
  });
  running.push(app);
  const { url, port } = app.services.get(HttpServer);
  const as = async (role: unknown, at: string, init: RequestInit = {}) => {
    const token = role === undefined ? undefined : await generateJWT(SECRET, { role }, '1m');
    const headers = { ...init.headers, ...(token && { Authorization: `Bearer ${token}` }) };
    return fetch(url + at, { ...init, headers: headers as Record<string, string> });
  };
  const status = async (role: unknown, at: string, init?: RequestInit) => (await as(role, at, init)).status;
  return { app, url, port, as, status };
}

describe('a guard of a route', () => {
  test('asks for a role, or for any valid token', async () => {
    const { status, app } = await serve((router) => {
      router.get('/admin', { roles: ['admin', 'owner'] }, () => 'admin');
      router.get('/any', { roles: [] }, () => 'any');
      router.get('/open', () => 'open');
    });
    for (const [role, admin, any] of [
      [undefined, 401, 401],
      ['guest', 401, 200],
      ['admin', 200, 200],
      [['guest', 'owner'], 200, 200],
      [{ admin: true }, 401, 200],
      [['toString'], 401, 200],
    ] as const) {
      const found = [await status(role, '/admin'), await status(role, '/any'), await status(role, '/open')];
      expect([role, ...found]).toEqual([role, admin, any, 200]);
    }
    expect(await status('guest', '/admin', { method: 'HEAD' })).toBe(401);
    expect(
      app.services
        .get(HttpServer)
        .routes()
        .map(({ roles }) => roles),
    ).toEqual([['admin', 'owner'], [], undefined]);
  });

  test('answers a role that does not suffice as roleFailureStatus or onUnauthorized says', async () => {
    const register = (router: Router) => router.get('/admin', { roles: ['admin'] }, () => 'admin');
    const { as, status } = await serve(register, { roleFailureStatus: 403 });
    expect([await status(undefined, '/admin'), await status('guest', '/admin')]).toEqual([401, 403]);
    expect((await as('guest', '/admin')).headers.get('content-type')).toBe('application/problem+json');
    const own = await serve(register, {
      onUnauthorized: (ctx: { status: number; body: unknown }, error: Error) => {
        ctx.status = 418;
        ctx.body = error.message;
      },
    });
    const refused = await own.as('guest', '/admin');
    expect([refused.status, await refused.text()]).toEqual([418, 'insufficient role']);
  });

  test('comes before the middlewares, the inputs and the body of its route', async () => {
    const ran: string[] = [];
    const { status, port } = await serve((router) => {
      const body = Type.Object({ name: Type.String() });
      router.use((_ctx: HttpContext, next: Koa.Next) => (ran.push('middleware'), next()));
      router.post(
        '/notes',
        { roles: [], input: { body, query: Type.Object({ page: Type.Integer() }) } },
        () => 'written',
      );
    });
    const invalid = { method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } };
    expect(await status(undefined, '/notes?page=x', invalid)).toBe(401);
    // The body never comes, and is not waited for.
    const head = 'POST /notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100\r\n\r\n';
    expect(await sendRaw(port, head)).toMatch(/^HTTP\/1\.1 401 /);
    expect(ran).toEqual([]);
    expect(await status('guest', '/notes?page=x', invalid)).toBe(400);
    expect(ran).toEqual(['middleware']);
  });

  test('holds for files, WebSockets and handlers of worker threads', async () => {
    const { status, port } = await serve((router) => {
      router.static('/files', import.meta.dirname, { roles: ['reader'] });
      router.websocket('/live', { roles: ['reader'] }, (socket) => socket.terminate());
      const module = `data:text/javascript,export const report = () => 'report'`;
      router.handleBlocking('GET', '/report', { module, export: 'report' }, { roles: ['reader'] });
    });
    for (const at of ['/files/index.ts', '/report']) {
      expect([at, await status(undefined, at), await status('guest', at), await status('reader', at)]).toEqual([
        at,
        401,
        401,
        200,
      ]);
    }
    const shake = async (role: string) =>
      (
        await sendRaw(
          port,
          'GET /live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
            `Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\nAuthorization: Bearer ${await generateJWT(SECRET, { role }, '1m')}\r\n\r\n`,
        )
      ).slice(9, 12);
    expect([await shake('guest'), await shake('reader')]).toEqual(['401', '101']);
  });

  test('shares what the middleware has verified: a refresh token is used once', async () => {
    const { url } = await serve((router) => router.get('/api/me', { roles: ['user'] }, () => 'me'), {
      protect: ['/api/**'],
      enableRefreshToken: true,
      refreshSecret: REFRESH,
    });
    const refresh = await generateRefreshToken(REFRESH, { role: 'user' }, '1h');
    const answer = await fetch(`${url}/api/me`, { headers: { 'X-Refresh-Token': refresh } });
    expect([answer.status, answer.headers.has('x-new-refresh-token')]).toEqual([200, true]);
  });

  test('does not believe what another middleware has put into ctx.state.user', async () => {
    const { status } = await serve((router) => {
      router.group(
        '/',
        (ctx: HttpContext, next: Koa.Next) => ((ctx.state.user = { role: 'admin' }), next()),
        (group) => {
          group.get('/admin', { roles: ['admin'] }, () => 'admin');
        },
      );
    });
    expect(await status('guest', '/admin')).toBe(401);
  });

  test('asks for requiredRoles of the plugin as well', async () => {
    const { status } = await serve((router) => router.get('/admin', { roles: ['admin'] }, () => 'admin'), {
      requiredRoles: ['staff'],
    });
    expect([await status('admin', '/admin'), await status(['admin', 'staff'], '/admin')]).toEqual([401, 200]);
  });
});

describe('a guard of a group', () => {
  test('holds inside, becomes narrower, and is lifted by public', async () => {
    const { status } = await serve((router) => {
      router.group('/shop', { roles: ['owner', 'clerk'] }, (shop) => {
        shop.get('/', () => 'either');
        shop.get('/any', { roles: [] }, () => 'either');
        shop.get('/safe', { roles: ['owner'] }, () => 'owner');
        shop.post('/login', { public: true }, () => 'anybody');
        shop.get('/closed', { public: false }, () => 'either');
        shop.group('/window', { public: true }, (window) => {
          window.get('/', () => 'anybody');
          window.get('/back', { roles: ['guest'] }, () => 'guest');
        });
      });
    });
    const expected = {
      '/shop': [401, 401, 200, 200],
      '/shop/any': [401, 401, 200, 200],
      '/shop/safe': [401, 401, 401, 200],
      '/shop/closed': [401, 401, 200, 200],
      '/shop/window': [200, 200, 200, 200],
      '/shop/window/back': [401, 200, 401, 401],
    };
    for (const [at, statuses] of Object.entries(expected)) {
      const found = await Promise.all([undefined, 'guest', 'clerk', 'owner'].map((role) => status(role, at)));
      expect([at, found]).toEqual([at, statuses]);
    }
    expect(await status(undefined, '/shop/login', { method: 'POST' })).toBe(200);
  });

  const access: fc.Arbitrary<RouteAccess> = fc.oneof(
    fc.constant({}),
    fc.constant({ public: true }),
    fc.subarray(['a', 'b', 'c']).map((roles) => ({ roles })),
  );

  test('lets nobody in whom a group around keeps out, unless something inside is public', () => {
    fc.assert(
      fc.property(access, access, access, (...levels) => {
        const decided = () =>
          levels.reduce((outer: Access, own) => accessWithin(outer, own, { what: 'a route', module: 'm' }), {});
        const lastPublic = levels.findLastIndex((level) => level.public);
        const asked = levels.slice(lastPublic + 1).flatMap(({ roles }) => (roles ? [roles] : []));
        let roles: readonly string[] | undefined;
        try {
          ({ roles } = decided());
        } catch (error) {
          expect(error).toMatchObject({ code: 'FW_HTTP_ROUTE_ACCESS' });
          return;
        }
        const passes = (list: readonly string[], role?: string) =>
          role !== undefined && (list.length === 0 || list.includes(role));
        for (const role of [undefined, 'a', 'b', 'c', 'd']) {
          expect(roles === undefined || passes(roles, role)).toBe(asked.every((list) => passes(list, role)));
        }
      }),
    );
  });
});

describe('what is refused at boot', () => {
  const list = (access: unknown) => (router: Router) => router.get('/x', access as RouteAccess, () => 1);

  test.each([
    ['`roles` is not a list of names', list({ roles: 'admin' })],
    ['`roles` is not a list of names', list({ roles: [1] })],
    ['`roles` is not a list of names', list({ roles: [''] })],
    ['`roles` is not a list of names', list({ roles: null })],
    ['`roles` is there, but undefined', list({ roles: undefined })],
    ['`roles` is there, but undefined', (router: Router) => router.static('/f', '.', { roles: undefined } as object)],
    [
      '`roles` is there, but undefined',
      (router: Router) => router.group('/g', { roles: undefined } as object, () => 1),
    ],
    ['`public` is neither true nor false', list({ public: 'yes' })],
    ['it says `public` and lists `roles`', list({ public: true, roles: [] })],
    [
      'the role "b" is not among those of its group (a)',
      (router: Router) => router.group('/g', { roles: ['a'] }, (group) => group.get('/x', { roles: ['b'] }, () => 1)),
    ],
  ])('%s', async (problem, register) => {
    await expect(serve(register)).rejects.toMatchObject({ code: 'FW_HTTP_ROUTE_ACCESS', details: { problem } });
  });

  test.each([
    ['GET /g/x', (router: Router) => router.group('/g', { roles: [] }, (group) => group.get('/x', () => 1))],
    ['GET /live', (router: Router) => router.websocket('/live', { roles: ['a'] }, () => {})],
    ['GET /f/*filepath', (router: Router) => router.static('/f', import.meta.dirname, { roles: ['a'] })],
  ])('%s, when no plugin knows callers', async (what, register) => {
    const booting = bootTestApp({
      plugins: [plugin(() => Promise.resolve(http), { port: 0 }), routesUnderTest(register)],
    });
    await expect(booting).rejects.toMatchObject({ code: 'FW_HTTP_NO_AUTHENTICATOR', details: { what } });
  });

  test.each([
    ['/files/*rest', /cannot hold for a \*wildcard/],
    ['/files', /needs a :parameter/],
  ])('encodedSlashes on %s', async (at, message) => {
    const booting = serve((router) => router.get(at, { encodedSlashes: true }, () => 1));
    await expect(booting).rejects.toMatchObject({
      code: 'FW_HTTP_ROUTE_PATTERN',
      message: expect.stringMatching(message),
    });
  });
});
