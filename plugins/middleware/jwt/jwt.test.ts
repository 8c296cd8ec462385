import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { type HttpMethod, HttpServer, plugin, RouteGuard } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest, sendRaw, servePlain } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import jwt, {
  generateJWT,
  generateRefreshToken,
  jwtAuthMiddleware,
  type JWTOptions,
  type RefreshStore,
  revokeRefreshToken,
} from './index.js';

const SECRET = 'an access secret of thirty-two bytes or more';
const REFRESH = 'a refresh secret of thirty-two bytes or more';

const application = (options: Partial<JWTOptions> = {}) => {
  const handle = jwtAuthMiddleware({ accessSecret: SECRET, ...options });
  const app = new Koa().use(handle).use((ctx) => {
    ctx.body = { ...ctx.state };
  });
  return { app, handle };
};

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A token made by hand: whatever header and payload, signed with whatever hash and key. */
function forge(header: unknown, payload: unknown, hash = 'sha256', key = SECRET): string {
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

const soon = () => Math.floor(Date.now() / 1000) + 60;

describe('construction', () => {
  test.each([undefined, '', '   '])(
    'fails with the access secret %j [MW-JWT-01, MW-JWT-OPT-01, ERR-MW-JWT-SECRET]',
    (accessSecret) => {
      expect(() => jwtAuthMiddleware({ accessSecret } as JWTOptions)).toThrow(
        expect.objectContaining({ code: 'FW_JWT_SECRET_MISSING', details: { option: 'accessSecret' } }),
      );
    },
  );

  test('fails without a refresh secret of its own when refreshing is enabled [MW-JWT-OPT-02]', () => {
    const options = { accessSecret: SECRET, enableRefreshToken: true };
    expect(() => jwtAuthMiddleware(options)).toThrow(expect.objectContaining({ code: 'FW_JWT_SECRET_MISSING' }));
    expect(() => jwtAuthMiddleware({ ...options, refreshSecret: SECRET })).toThrow(
      expect.objectContaining({ code: 'FW_JWT_SAME_SECRET' }),
    );
  });

  test.each(['none', 'RS256', 'hs256'])('fails with the signing method %s', (signingMethod) => {
    expect(() => jwtAuthMiddleware({ accessSecret: SECRET, signingMethod } as never)).toThrow(
      expect.objectContaining({ code: 'FW_JWT_METHOD' }),
    );
  });
});

describe('access tokens', () => {
  test('let a request pass and put their claims where handlers find them [MW-JWT-OPT-05, MW-JWT-OPT-08, MW-JWT-HELPER-01, MW-JWT-AUTH-01]', async () => {
    const token = await generateJWT(SECRET, { user_id: 7, role: 'admin' }, '15m');
    for (const userContextKey of ['user', 'who']) {
      await using server = await servePlain(application({ userContextKey }).app);
      const state = (await (await fetch(server.url, { headers: bearer(token) })).json()) as Record<string, object>;
      expect(state[userContextKey]).toEqual({ user_id: 7, role: 'admin', exp: expect.any(Number) });
    }
  });

  test('by default a failure is a 401 problem+json that gives no reason [MW-JWT-OPT-07, MW-JWT-AUTH-02, ERR-MW-JWT]', async () => {
    await using server = await servePlain(application().app);
    const response = await fetch(`${server.url}/x`);
    expect(response.status).toBe(401);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toEqual({ type: 'about:blank', title: 'Unauthorized', status: 401, instance: '/x' });
  });

  test.each([
    ['Bearer TOKEN', 200],
    ['bearer TOKEN', 200],
    ['BEARER TOKEN', 200],
    ['Bearer  TOKEN', 401],
    ['Bearer TOKEN b', 401],
    ['Bearer ', 401],
    ['Bearer', 401],
    ['Basic TOKEN', 401],
    ['BearerTOKEN', 401],
    ['Bearer TOKEN,', 401],
    ['TOKEN', 401],
  ])('with the header %j give %d', async (header, status) => {
    const token = await generateJWT(SECRET, {}, '1m');
    await using server = await servePlain(application().app);
    const line = `Authorization: ${header.replace('TOKEN', token)}`;
    const answer = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${line}\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('are refused when the Authorization header is there twice, also when the first one is valid', async () => {
    const token = await generateJWT(SECRET, {}, '1m');
    const request = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nauthorization: Bearer other\r\n\r\n`;
    await using server = await servePlain(application().app);
    expect(await sendRaw(server.port, request)).toMatch(/^HTTP\/1\.1 401 /);
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(jwt), { accessSecret: SECRET }),
      routesUnderTest((router) => router.get('/', () => 'ok')),
    ];
    await using app = await bootTestApp({ plugins });
    expect(await sendRaw(app.services.get(HttpServer).port, request)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test.each<[string, () => string | Promise<string>]>([
    ['of another key', () => generateJWT('another secret', {}, '1m')],
    ['of another method with the same key', () => generateJWT(SECRET, {}, '1m', 'HS512')],
    ['with alg none and no signature', () => `${part({ alg: 'none' })}.${part({ exp: soon() })}.`],
    ['with alg none and a signature', () => forge({ alg: 'none' }, { exp: soon() })],
    ['that claims RS256 and is signed with the secret', () => forge({ alg: 'RS256' }, { exp: soon() })],
    ['that claims HS256 and is signed with SHA-512', () => forge({ alg: 'HS256' }, { exp: soon() }, 'sha512')],
    ['without alg', () => forge({ typ: 'JWT' }, { exp: soon() })],
    ['without exp', () => forge({ alg: 'HS256' }, { user_id: 1 })],
    ['with an exp that is text', () => forge({ alg: 'HS256' }, { exp: '9999999999' })],
    ['that is expired', () => forge({ alg: 'HS256' }, { exp: 1000 })],
    ['that is not valid yet', () => forge({ alg: 'HS256' }, { exp: soon(), nbf: soon() })],
    ['of type refresh', () => generateRefreshToken(SECRET, {}, '1m')],
    ['with critical extensions', () => forge({ alg: 'HS256', crit: ['x'], x: 1 }, { exp: soon() })],
    ['with a payload that is not an object', () => forge({ alg: 'HS256' }, '[1]')],
    ['with a payload that is not JSON', () => forge({ alg: 'HS256' }, 'nonsense')],
    ['of two parts', () => 'a.b'],
    ['with an empty signature', async () => (await generateJWT(SECRET, {}, '1m')).replace(/[^.]*$/, '')],
  ])('%s are refused [MW-JWT-02, MW-JWT-OPT-03]', async (_name, make) => {
    await using server = await servePlain(application().app);
    const answer = await fetch(server.url, { headers: bearer(await make()) });
    expect(answer.status).toBe(401);
  });

  test('of 50 000 characters do not get past the server: headers end at 16 KiB', async () => {
    await using server = await servePlain(application().app);
    expect((await fetch(server.url, { headers: bearer('a'.repeat(50_000)) })).status).toBe(431);
  });

  test('of 10 000 characters are refused', async () => {
    await using server = await servePlain(application().app);
    expect((await fetch(server.url, { headers: bearer('a'.repeat(10_000)) })).status).toBe(401);
  });

  test.each(['HS256', 'HS384', 'HS512'] as const)('of the pinned method %s are accepted', async (signingMethod) => {
    await using server = await servePlain(application({ signingMethod }).app);
    const token = await generateJWT(SECRET, {}, '1m', signingMethod);
    expect((await fetch(server.url, { headers: bearer(token) })).status).toBe(200);
  });
});

describe('further checks', () => {
  test.each<[Partial<JWTOptions>, unknown, number]>([
    [{ requiredRoles: ['admin', 'root'] }, { role: 'admin' }, 200],
    [{ requiredRoles: ['admin'] }, { role: ['user', 'admin'] }, 200],
    [{ requiredRoles: ['admin'] }, { role: 'user' }, 401],
    [{ requiredRoles: ['admin'] }, { role: ['administrator'] }, 401],
    [{ requiredRoles: ['admin'] }, {}, 401],
    [{ requiredRoles: ['admin'], roleFailureStatus: 403 }, { role: 'user' }, 403],
    [{ claimsValidator: (claims) => claims['tenant'] === 1 }, { tenant: 1 }, 200],
    [{ claimsValidator: (claims) => claims['tenant'] === 1 }, { tenant: 2 }, 401],
  ])(
    '%p with the claims %p give %d [MW-JWT-OPT-09, MW-JWT-OPT-10, MW-JWT-AUTH-03]',
    async (options, claims, status) => {
      await using server = await servePlain(application(options).app);
      const token = await generateJWT(SECRET, claims as object as Record<string, unknown>, '1m');
      expect((await fetch(server.url, { headers: bearer(token) })).status).toBe(status);
    },
  );

  test('tokens are read where the application says, and failures answered as it says [MW-JWT-OPT-04, MW-JWT-OPT-06]', async () => {
    const reasons: string[] = [];
    const options: Partial<JWTOptions> = {
      tokenLookup: (ctx) => {
        const token = ctx.cookies.get('token');
        if (token === undefined) throw new TypeError('no cookie');
        return [token, ''];
      },
      onUnauthorized: (ctx, error) => {
        reasons.push(error.message);
        ctx.status = 418;
        ctx.body = 'no';
      },
    };
    await using server = await servePlain(application(options).app);
    const token = await generateJWT(SECRET, {}, '1m');
    expect((await fetch(server.url, { headers: { Cookie: `token=${token}` } })).status).toBe(200);
    expect((await fetch(server.url)).status).toBe(418);
    expect((await fetch(server.url, { headers: { Cookie: 'token=x' } })).status).toBe(418);
    expect(reasons).toEqual(['no cookie', 'invalid token: it is not three parts in base64url']);
  });

  test('audience, issuer and a time of expiry are asked for as the options say (RFC 7519, section 4.1)', async () => {
    const status = async (options: Partial<JWTOptions>, claims: object) => {
      await using server = await servePlain(application(options).app);
      return (await fetch(server.url, { headers: bearer(forge({ alg: 'HS256' }, claims)) })).status;
    };
    expect(await status({}, { sub: 'a' })).toBe(401);
    expect(await status({ requireExpiry: false }, { sub: 'a' })).toBe(200);
    expect(await status({ requireExpiry: false }, { exp: 1 })).toBe(401);
    expect(await status({ audience: ['shop'] }, { exp: soon(), aud: ['other', 'shop'] })).toBe(200);
    expect(await status({ audience: ['shop'] }, { exp: soon() })).toBe(401);
    expect(await status({ issuer: ['me', 'you'] }, { exp: soon(), iss: 'you' })).toBe(200);
    expect(await status({ issuer: ['me', 'you'] }, { exp: soon(), iss: 'they' })).toBe(401);
  });

  test('the log has the reason of each refused token, and nothing of those who sent none', async () => {
    const reasons: unknown[] = [];
    const log = { warn: () => undefined, info: (fields: unknown) => void reasons.push(fields) };
    await using server = await servePlain(application({ log, requiredRoles: ['admin'] } as Partial<JWTOptions>).app);
    expect((await fetch(server.url)).status).toBe(401);
    for (const token of [
      forge({ alg: 'HS256' }, { exp: 1 }),
      forge({ alg: 'HS384' }, { exp: soon() }, 'sha384'),
      forge({ alg: 'HS256' }, { exp: soon() }, 'sha256', 'another'),
      forge({ alg: 'HS256' }, { exp: soon(), type: 'refresh' }),
      forge({ alg: 'HS256' }, { exp: soon(), role: 'guest' }),
    ]) {
      await fetch(server.url, { headers: bearer(token) });
    }
    expect(reasons).toEqual([
      { reason: 'invalid token: "exp" claim timestamp check failed' },
      { reason: 'invalid token: "alg" (Algorithm) Header Parameter value not allowed' },
      { reason: 'invalid token: signature verification failed' },
      { reason: 'invalid token: its claim "type" is not "access"' },
      { reason: 'insufficient role' },
    ]);
  });
});

describe('the cache of verified tokens', () => {
  const facts = (handle: { probe: () => { detail?: Readonly<Record<string, unknown>> } }) => {
    const { cached_tokens: cached, cache_hits: hits } = handle.probe().detail as Record<string, number>;
    return { cached, hits };
  };

  test('is bounded, and counts the tokens that it forgets', async () => {
    const { app, handle } = application({ tokenCacheSize: 2 });
    await using server = await servePlain(app);
    for (let nth = 0; nth < 3; nth++)
      await fetch(server.url, { headers: bearer(await generateJWT(SECRET, { nth }, '1m')) });
    expect(handle.probe().detail).toMatchObject({ cached_tokens: 2, evicted_tokens: 1 });
  });

  test('answers for a token that was verified, until the token expires', async () => {
    let now = Date.now();
    const { app, handle } = application({ now: () => now });
    await using server = await servePlain(app);
    const headers = bearer(await generateJWT(SECRET, {}, '1m'));
    const status = async () => (await fetch(server.url, { headers })).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    expect(facts(handle)).toEqual({ cached: 1, hits: 1 });
    now = Date.now() + 61_000;
    expect(await status()).toBe(401);
    expect(facts(handle).cached).toBe(0);
  });

  test('remembers no refused token, is bounded, and can be switched off', async () => {
    const { app, handle } = application({ tokenCacheSize: 2 });
    const off = application({ tokenCacheSize: 0 });
    await using server = await servePlain(app);
    await using without = await servePlain(off.app);
    await fetch(server.url, { headers: bearer('x.y.z') });
    expect(facts(handle).cached).toBe(0);
    for (const id of [1, 2, 3]) {
      const headers = bearer(await generateJWT(SECRET, { id }, '1m'));
      await fetch(server.url, { headers });
      await fetch(without.url, { headers });
    }
    expect([facts(handle).cached, facts(off.handle).cached]).toEqual([2, 0]);
  });

  test('does not answer for another token under a signature that it knows', async () => {
    const { app, handle } = application();
    await using server = await servePlain(app);
    const token = await generateJWT(SECRET, { id: 1 }, '1m');
    const [header, , signature] = token.split('.');
    const stolen = [header, part({ id: 2, exp: soon() }), signature].join('.');
    const status = async (text: string) => (await fetch(server.url, { headers: bearer(text) })).status;
    expect([await status(token), await status(stolen), await status(token)]).toEqual([200, 401, 200]);
    expect(facts(handle)).toEqual({ cached: 1, hits: 1 });
  });

  test('is dropped when the keys change', async () => {
    const { app, handle } = application();
    await using server = await servePlain(app);
    const old = bearer(await generateJWT(SECRET, {}, '1m'));
    expect((await fetch(server.url, { headers: old })).status).toBe(200);
    handle.replaceSecrets({ accessSecret: REFRESH });
    expect((await fetch(server.url, { headers: old })).status).toBe(401);
    const made = bearer(await generateJWT(REFRESH, {}, '1m'));
    expect((await fetch(server.url, { headers: made })).status).toBe(200);
  });

  test('hands out claims that no handler can change for the next request', async () => {
    const token = await generateJWT(SECRET, { nested: { admin: false } }, '1m');
    const app = new Koa().use(jwtAuthMiddleware({ accessSecret: SECRET })).use((ctx) => {
      (ctx.state['user'] as { nested: { admin: boolean } }).nested.admin = true;
    });
    app.silent = true;
    await using server = await servePlain(app);
    expect((await fetch(server.url, { headers: bearer(token) })).status).toBe(500);
  });
});

describe('refresh tokens', () => {
  const refreshing = { refreshSecret: REFRESH, enableRefreshToken: true };
  const expired = () => forge({ alg: 'HS256' }, { exp: 1000, user_id: 7 });
  const ask = (url: string, refresh: string, access = expired()) =>
    fetch(url, { headers: { ...(access && bearer(access)), 'X-Refresh-Token': refresh } });

  test('renew an expired access token and are rotated themselves [MW-JWT-OPT-11, MW-JWT-HELPER-02]', async () => {
    await using server = await servePlain(application(refreshing).app);
    const refresh = await generateRefreshToken(REFRESH, { user_id: 7, role: 'admin', tenant: 3 }, '7d');
    const from = Math.floor(Date.now() / 1000);
    const response = await ask(server.url, refresh);
    const to = Math.ceil(Date.now() / 1000);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ user: { user_id: 7, role: 'admin', tenant: 3 } });
    const access = response.headers.get('x-new-access-token') as string;
    const state = (await (await fetch(server.url, { headers: bearer(access) })).json()) as { user: { exp: number } };
    expect(state.user).toEqual({ user_id: 7, role: 'admin', tenant: 3, exp: expect.any(Number) });
    expect(state.user.exp).toBeGreaterThanOrEqual(from + 900);
    expect(state.user.exp).toBeLessThanOrEqual(to + 900);
    const rotated = response.headers.get('x-new-refresh-token') as string;
    const claims = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as Record<string, unknown>;
    expect(claims(rotated)).toMatchObject({
      type: 'refresh',
      exp: claims(refresh)['exp'],
      family: claims(refresh)['family'],
    });
    expect((await ask(server.url, rotated, '')).status).toBe(200);
  });

  test('give requests in parallel the same successor, until that is used', async () => {
    await using server = await servePlain(application(refreshing).app);
    const refresh = await generateRefreshToken(REFRESH, { user_id: 7 }, '7d');
    const answers = await Promise.all([1, 2, 3].map(() => ask(server.url, refresh)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const pairs = answers.map(({ headers }) => [headers.get('x-new-access-token'), headers.get('x-new-refresh-token')]);
    expect(new Set(pairs.map(String)).size).toBe(1);
    const next = pairs[0]?.[1] as string;
    expect((await ask(server.url, next)).status).toBe(200);
    expect((await ask(server.url, refresh)).status).toBe(401);
  });

  test('are refused when no store has heard of them, and after a logout', async () => {
    const own = 'another refresh secret of thirty-two bytes';
    const early = await generateRefreshToken(own, {}, '7d');
    await expect(revokeRefreshToken(own, early)).rejects.toMatchObject({ code: 'FW_JWT_NO_STORE' });
    await using server = await servePlain(application({ ...refreshing, refreshSecret: own }).app);
    expect((await ask(server.url, early)).status).toBe(401);
    const token = await generateRefreshToken(own, {}, '7d');
    const next = (await ask(server.url, token)).headers.get('x-new-refresh-token') as string;
    expect(await revokeRefreshToken(own, token)).toBe(true);
    expect(await revokeRefreshToken(own, token)).toBe(false);
    expect(await revokeRefreshToken(own, 'nonsense')).toBe(false);
    expect([(await ask(server.url, token)).status, (await ask(server.url, next)).status]).toEqual([401, 401]);
  });

  test('stay as they are when the claims do not suffice', async () => {
    const answers = [false, true];
    const claimsValidator = async () => answers.shift() as boolean;
    await using server = await servePlain(application({ ...refreshing, claimsValidator }).app);
    const refresh = await generateRefreshToken(REFRESH, {}, '7d');
    const refused = await ask(server.url, refresh);
    expect([refused.status, refused.headers.get('x-new-access-token')]).toEqual([401, null]);
    expect((await ask(server.url, refresh)).headers.get('cache-control')).toBe('no-store');
  });

  test('are refused by 503, and not used up, while the store cannot be reached', async () => {
    const warned: unknown[] = [];
    const log = { warn: (...line: unknown[]) => void warned.push(line) };
    const refreshStore: RefreshStore = {
      begin: () => undefined,
      rotate: () => Promise.reject(new Error('away')),
      revoke: () => Promise.reject(new Error('away')),
    };
    await using server = await servePlain(application({ ...refreshing, refreshStore, log } as never).app);
    const refresh = await generateRefreshToken(REFRESH, {}, '7d', 'HS256', refreshStore);
    const answer = await ask(server.url, refresh);
    expect([answer.status, answer.headers.get('retry-after'), warned.length]).toEqual([503, '1', 1]);
    await expect(revokeRefreshToken(REFRESH, refresh, 'HS256', refreshStore)).rejects.toMatchObject({
      code: 'FW_JWT_STORE_AWAY',
    });
  });

  test.each(['11s', -1, '1h'])('have no leeway of %p', (refreshLeeway) => {
    expect(() => application({ ...refreshing, refreshLeeway } as never)).toThrow();
  });

  test('are good for one use: a second one is refused and ends the whole family', async () => {
    await using server = await servePlain(application({ ...refreshing, refreshLeeway: 0 }).app);
    const refresh = await generateRefreshToken(REFRESH, {}, '7d');
    const rotated = (await ask(server.url, refresh)).headers.get('x-new-refresh-token') as string;
    expect((await ask(server.url, refresh)).status).toBe(401);
    expect((await ask(server.url, rotated)).status).toBe(401);
    expect((await ask(server.url, await generateRefreshToken(REFRESH, {}, '7d'))).status).toBe(200);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['an access token', () => generateJWT(REFRESH, {}, '1m')],
    ['one of the access key', () => generateRefreshToken(SECRET, {}, '1m')],
    ['one without an id', () => forge({ alg: 'HS256' }, { type: 'refresh', exp: soon() }, 'sha256', REFRESH)],
    ['an expired one', () => forge({ alg: 'HS256' }, { type: 'refresh', jti: 'a', exp: 1000 }, 'sha256', REFRESH)],
    ['nonsense', () => 'nonsense'],
  ])('%s is refused', async (_name, make) => {
    await using server = await servePlain(application(refreshing).app);
    const response = await ask(server.url, await make());
    expect([response.status, response.headers.get('x-new-access-token')]).toEqual([401, null]);
  });

  test('are not looked at while refreshing is off', async () => {
    await using server = await servePlain(application().app);
    expect((await ask(server.url, await generateRefreshToken(REFRESH, {}, '1m'))).status).toBe(401);
  });
});

describe('generateJWT', () => {
  test('does not change the claims that it is given', async () => {
    const claims = Object.freeze({ user_id: 1 });
    await generateRefreshToken(REFRESH, claims, '1m');
    expect(claims).toEqual({ user_id: 1 });
  });

  test.each([0, '0s', '0.0m'] as const)('refuses the duration %p', async (duration) => {
    await expect(generateJWT(SECRET, {}, duration)).rejects.toMatchObject({ code: 'FW_JWT_DURATION' });
  });

  test('refuses an empty secret, and one that is no text', async () => {
    await expect(generateJWT('', {}, '1m')).rejects.toMatchObject({ code: 'FW_JWT_SECRET_MISSING' });
    const key = Buffer.from(SECRET) as unknown as string;
    await expect(generateJWT(key, {}, '1m')).rejects.toMatchObject({ code: 'FW_JWT_SECRET_MISSING' });
  });
});

describe('the plugin', () => {
  const boot = (options: object) =>
    bootTestApp({
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0 }),
        plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, ...options }),
        routesUnderTest((router) => {
          router.get('/open', () => 'open');
          router.get('/api/admin', () => 'admin');
          router.get('/api/admin/:id', () => 'admin');
          router.get('/api/:any/:id', () => 'api');
        }),
      ],
    });

  test('protects the paths of its patterns, however they are spelt', async () => {
    await using app = await boot({ protect: ['/api/admin/**'] });
    const { port, url } = app.services.get(HttpServer);
    const status = async (path: string) =>
      (await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).slice(9, 12);
    for (const path of [
      '/api/admin',
      '/api/admin/',
      '/api/admin/1',
      '/api/admin/1/',
      '/api/%61dmin/1',
      '/api/admin/1?x=/open',
      '/api/admin/x/y/z',
      'http://x/api/admin/1',
      '/API/aDMIN',
      '/api/admin;x/1',
      '/api/%EF%BC%A1dmin/1',
    ]) {
      expect([path, await status(path)]).toEqual([path, '401']);
    }
    for (const path of ['/open', '/api/other/1', '/api/administrator/1']) {
      expect([path, await status(path)]).toEqual([path, '200']);
    }
    for (const path of ['/api/%zz/1', '/api/x%2fadmin/1', '/api/admin#x', '/api/admin/%2e%2e', '//api/admin']) {
      expect([path, await status(path)]).toEqual([path, '400']);
    }
    const headers = bearer(await generateJWT(SECRET, {}, '1m'));
    expect((await fetch(`${url}/api/admin/1`, { headers })).status).toBe(200);
  });

  test('protects everything by default but for the exceptions', async () => {
    await using app = await boot({ except: ['/open', '/api/*/1'] });
    const { url } = app.services.get(HttpServer);
    const statuses = await Promise.all(
      ['/open', '/api/x/1', '/api/x/2', '/none'].map(async (path) => (await fetch(url + path)).status),
    );
    expect(statuses).toEqual([200, 200, 401, 401]);
  });

  describe('with methods', () => {
    const answers = async (methods: HttpMethod[], targets: readonly string[]) => {
      await using app = await bootTestApp({
        plugins: [
          plugin(() => Promise.resolve(http), { port: 0 }),
          plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, protect: ['/api/**'], methods }),
          routesUnderTest((router) => {
            router.get('/api/notes/:id', () => 'note');
            router.post('/api/notes/:id', () => 'written');
            router.delete('/api/notes/:id', () => 'gone');
          }),
        ],
      });
      const { port } = app.services.get(HttpServer);
      const found: Record<string, string> = {};
      for (const target of targets) {
        const answer = await sendRaw(port, `${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        found[target] = answer.slice(9, 12);
      }
      return found;
    };

    test('asks for a token on those methods alone, however the path is spelt', async () => {
      const expected = {
        'GET /api/notes/1': '200',
        'HEAD /api/notes/1': '200',
        'OPTIONS /api/notes/1': '204',
        'POST /api/notes/1': '401',
        'POST /api/notes/1/': '401',
        'POST /%61pi/notes/1': '401',
        'POST /api/notes/1?method=GET': '401',
        'POST http://x/api/notes/1': '401',
        'POST /api/notes/1?_method=GET': '401',
        'POST /api/none': '401',
        'DELETE /api/notes/1': '401',
        'PUT /api/notes/1': '405',
        'PROPFIND /api/notes/1': '405',
        'post /api/notes/1': '400',
        'MADEUP /api/notes/1': '400',
      };
      expect(await answers(['POST', 'DELETE'], Object.keys(expected))).toEqual(expected);
    });

    test('GET means HEAD too: its handler answers both', async () => {
      const expected = { 'GET /api/notes/1': '401', 'HEAD /api/notes/1': '401', 'POST /api/notes/1': '200' };
      expect(await answers(['GET'], Object.keys(expected))).toEqual(expected);
    });

    test.each([['post'], ['PSOT'], [''], ['*']])(
      'refuses the method %j at boot: a typo would protect nothing',
      async (method) => {
        await expect(answers([method as HttpMethod], [])).rejects.toMatchObject({ code: 'FW_CONFIG_OPTIONS' });
      },
    );

    test('says in the API description which operations need a token', async () => {
      await using app = await bootTestApp({
        plugins: [
          plugin(() => Promise.resolve(http), { port: 0 }),
          plugin(() => Promise.resolve(jwt), { accessSecret: SECRET, protect: ['/api/**'], methods: ['POST'] }),
        ],
      });
      const [guard] = app.services.all(RouteGuard);
      expect([guard?.guards('POST', '/api/x'), guard?.guards('GET', '/api/x'), guard?.guards('POST', '/x')]).toEqual([
        true,
        false,
        false,
      ]);
    });
  });

  test('takes the callbacks of its options from the configuration [MW-JWT-OPT-04]', async () => {
    const options: Partial<JWTOptions> = {
      accessSecret: SECRET,
      tokenLookup: ({ req }) => [String(req.headers['x-token'] ?? ''), ''],
      claimsValidator: (claims) => claims['tenant'] === 7,
      onUnauthorized: (context, error) => {
        context.status = 403;
        context.body = { why: error.message };
      },
    };
    await using app = await boot(options);
    const { url } = app.services.get(HttpServer);
    const ask = async (tenant: number) =>
      fetch(`${url}/open`, { headers: { 'X-Token': await generateJWT(SECRET, { tenant }, '1m') } });
    expect((await ask(7)).status).toBe(200);
    const refused = await ask(8);
    expect([refused.status, await refused.json()]).toEqual([403, { why: 'claims validation failed' }]);
    expect(app.diagnostics.get('jwt')).toMatchObject({
      detail: { custom_token_lookup: true, custom_claims_validator: true, custom_unauthorized_handler: true },
    });
    await expect(boot({ claimsValidator: 'yes' })).rejects.toMatchObject({ code: 'FW_CONFIG_OPTIONS' });
  });

  test('fails at boot without a secret, and warns of a short one without showing it', async () => {
    await expect(boot({ accessSecret: '' })).rejects.toMatchObject({ code: 'FW_JWT_SECRET_MISSING' });
    await using app = await boot({ accessSecret: 'hunter2' });
    const report = app.diagnostics.get('jwt');
    expect(report).toMatchObject({ status: 'degraded', detail: { algorithm: 'HS256', secret_bytes: 7 } });
    expect(JSON.stringify(report)).not.toContain('hunter2');
  });
});
