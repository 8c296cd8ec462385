import { describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest, servePlain } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import rateLimit from '../rate-limit/index.js';
import cors, { corsMiddleware, type CORSOptions } from './index.js';

const application = (options: CORSOptions) =>
  new Koa().use(corsMiddleware(options)).use((ctx) => {
    ctx.body = { handled: ctx.method };
  });

const PREFLIGHT = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'PUT' };

describe('corsMiddleware', () => {
  test('copies the configured values into headers of every response [MW-CORS-01, MW-CORS-OPT-01, MW-CORS-OPT-03, MW-CORS-OPT-04, MW-CORS-OPT-05, MW-CORS-OPT-06, MW-CORS-OPT-07]', async () => {
    const options = {
      allowOrigins: 'https://shop.example',
      allowMethods: 'GET, PUT',
      allowHeaders: 'X-A,X-B',
      exposeHeaders: 'X-C',
      allowCredentials: 'true',
      maxAge: '600',
    };
    await using server = await servePlain(application(options));
    const { headers } = await fetch(server.url);
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(headers.get('access-control-allow-methods')).toBe('GET, PUT');
    expect(headers.get('access-control-allow-headers')).toBe('X-A,X-B');
    expect(headers.get('access-control-expose-headers')).toBe('X-C');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-max-age')).toBe('600');
  });

  test('sends nothing for empty options, and says so', async () => {
    const handle = corsMiddleware({});
    await using server = await servePlain(new Koa().use(handle));
    const { headers } = await fetch(server.url);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(handle.probe().notes).toContain('allowOrigins is empty: browsers refuse every cross-origin response.');
  });

  test('sends `*` and one origin as they are, whoever asks [MW-CORS-OPT-02]', async () => {
    for (const allowOrigins of ['*', 'https://shop.example']) {
      await using server = await servePlain(application({ allowOrigins }));
      const { headers } = await fetch(server.url, { headers: { Origin: 'https://other.example' } });
      expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([allowOrigins, null]);
    }
  });

  test('echoes a listed origin, gives an unlisted one nothing, and varies by Origin for both', async () => {
    await using server = await servePlain(application({ allowOrigins: 'https://a.example, https://b.example' }));
    const ask = async (origin: string) => {
      const { headers } = await fetch(server.url, { headers: { Origin: origin } });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await ask('https://b.example')).toEqual(['https://b.example', 'Origin']);
    expect(await ask('https://b.example.evil')).toEqual([null, 'Origin']);
  });

  const ORIGINS: readonly (readonly [string, boolean])[] = [
    ['https://a.shop.example', true],
    ['https://shop.example', false],
    ['https://a.b.shop.example', false],
    ['https://a.shop.example.evil', false],
    ['https://evil_.shop.example', false],
    ['https://a.shopXexample', false],
    ['http://a.shop.example', false],
    ['https://a.shop.example:8443', false],
    ['http://localhost', true],
    ['http://localhost:5173', true],
    ['http://localhost:5173.evil', false],
    ['http://localhost:', false],
    ['https://listed.example', true],
    ['app://by.function', true],
    ['null', false],
    ['', false],
  ];
  test.each(ORIGINS)('a pattern is a whole origin, and a function may decide: %j is %j', async (origin, isAllowed) => {
    const handle = corsMiddleware({
      allowOrigins: 'https://listed.example',
      originPatterns: ['https://*.shop.example', 'http://localhost:*'],
      allowOrigin: (asked) => asked.startsWith('app://') || asked === 'null',
    });
    await using server = await servePlain(new Koa().use(handle));
    const { headers } = await fetch(server.url, { headers: { Origin: origin } });
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
      isAllowed ? origin : null,
      'Origin',
    ]);
  });

  test.each(['https://*.example/', '*', 'https://a*.example', 'shop.example', 'https://Shop.example', 'null', ''])(
    'refuses the pattern %j',
    (pattern) => {
      expect(() => corsMiddleware({ originPatterns: [pattern] })).toThrow(
        expect.objectContaining({ code: 'FW_CORS_PATTERN', details: { pattern } }),
      );
    },
  );

  test('a choice of origins beside `*` is refused, and a pattern among allowOrigins is told', () => {
    expect(() => corsMiddleware({ allowOrigins: '*', allowOrigin: () => true })).toThrow(
      expect.objectContaining({ code: 'FW_CORS_EVERY_ORIGIN' }),
    );
    expect(corsMiddleware({ allowOrigins: 'https://*.example' }).probe()).toMatchObject({ status: 'degraded' });
  });

  test('answers preflights itself and lets other OPTIONS requests pass [MW-CORS-02]', async () => {
    await using server = await servePlain(application({ allowOrigins: '*' }));
    const preflight = await fetch(server.url, { method: 'OPTIONS', headers: PREFLIGHT });
    expect([preflight.status, await preflight.text()]).toEqual([204, '']);
    const plain = await fetch(server.url, { method: 'OPTIONS' });
    expect(await plain.json()).toEqual({ handled: 'OPTIONS' });
  });

  test('leaves a wildcard with credentials to the browser, and warns in the probe [MW-CORS-03]', async () => {
    const handle = corsMiddleware({ allowOrigins: '*', allowCredentials: 'true' });
    await using server = await servePlain(new Koa().use(handle));
    const { headers } = await fetch(server.url);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(handle.probe().status).toBe('degraded');
  });

  test('refuses at construction a value that would inject a header', () => {
    expect(() => corsMiddleware({ allowHeaders: 'X-A\r\nX-Evil: 1' })).toThrow(
      expect.objectContaining({ code: 'FW_CORS_OPTION', details: { field: 'allowHeaders' } }),
    );
  });

  test('answers a preflight also for a path without a route, as a plugin', async () => {
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(cors), { allowOrigins: '*' }),
      routesUnderTest(() => {}),
    ];
    await using app = await bootTestApp({ plugins });
    const response = await fetch(`${app.services.get(HttpServer).url}/none`, { method: 'OPTIONS', headers: PREFLIGHT });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });

  test('has its headers on answers of middlewares outside, so that a page can read a 429; preflights are counted apart', async () => {
    const app = await bootTestApp({
      plugins: [
        plugin(() => Promise.resolve(http), { port: 0 }),
        plugin(() => Promise.resolve(rateLimit), { requests: 1, per: '1m' }),
        plugin(() => Promise.resolve(cors), { allowOrigins: 'https://a.example, https://b.example' }),
        routesUnderTest((router) => router.put('/', () => 'put')),
      ],
    });
    const { url } = app.services.get(HttpServer);
    const ask = async (method: string, headers: Record<string, string>) => {
      const response = await fetch(url, { method, headers });
      const { headers: got } = response;
      return [response.status, got.get('access-control-allow-origin'), got.get('vary')];
    };
    const origin = 'https://a.example';
    expect(await ask('OPTIONS', PREFLIGHT)).toEqual([204, origin, 'Origin']);
    expect(await ask('PUT', { Origin: origin })).toEqual([200, origin, 'Origin']);
    expect(await ask('PUT', { Origin: origin })).toEqual([429, origin, 'Origin']);
    expect(await ask('OPTIONS', PREFLIGHT)).toEqual([429, origin, 'Origin']);
    await app.stop();
  });
});
