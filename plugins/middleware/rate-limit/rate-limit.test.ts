import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { disableCounters, enableCounters, type HttpContext, HttpServer, plugin } from '../../../kernel/index.js';
import { bootTestApp, routesUnderTest, servePlain } from '../../../kernel/testing/index.js';
import http from '../../http/index.js';
import rateLimit, { FixedWindows, newRateLimiter, type RateLimiterOptions } from './index.js';

afterEach(() => disableCounters());

const application = (options: RateLimiterOptions) => {
  const limiter = newRateLimiter(options);
  const app = new Koa().use(limiter).use((ctx) => {
    ctx.body = 'ok';
  });
  return { limiter, app };
};

const byHeader = (ctx: HttpContext) => ctx.get('x-client');
const statuses = async (url: string, count: number, client = '') => {
  const seen: number[] = [];
  for (let each = 0; each < count; each++) {
    const response = await fetch(url, { headers: { 'X-Client': client, Connection: 'close' } });
    seen.push(response.status);
    await response.text();
  }
  return seen;
};

describe('newRateLimiter', () => {
  test('hands its store a key of bounded length, whatever the client sends as one', async () => {
    const keys: string[] = [];
    const store = { hit: (key: string) => (keys.push(key), { count: 1, endsAt: 1 }) };
    const { app } = application({ requests: 1, per: '1m', key: byHeader, store });
    await using server = await servePlain(app);
    for (const client of ['short', 'x'.repeat(5000), 'y'.repeat(5000), 'x'.repeat(5000)])
      await statuses(server.url, 1, client);
    expect(keys[0]).toBe('short');
    expect(new Set(keys).size).toBe(3);
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(64);
  });

  test('refuses with 429 and the message once the window is full [MW-RATE-01, MW-RATE-03, MW-RATE-OPT-01, MW-RATE-OPT-03, MW-RATE-OPT-06, ERR-MW-RATE]', async () => {
    let now = 0;
    const { app } = application({ requests: 2, per: '1m', now: () => now });
    await using server = await servePlain(app);
    expect(await statuses(server.url, 2)).toEqual([200, 200]);
    now = 30_500;
    const refused = await fetch(server.url);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.text()).toBe('Rate limit exceeded: max 2 requests per 1m0s');
    now = 60_000;
    const last = await fetch(server.url);
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1']);
    now = 60_001;
    expect(await statuses(server.url, 3)).toEqual([200, 200, 429]);
  });

  test('locks nobody out when the clock is set back', async () => {
    let now = 7_200_000;
    const { app } = application({ requests: 1, per: '1m', now: () => now });
    await using server = await servePlain(app);
    expect(await statuses(server.url, 2)).toEqual([200, 429]);
    now = 3_600_000;
    expect(await statuses(server.url, 2)).toEqual([200, 429]);
    now += 60_001;
    expect(await statuses(server.url, 2)).toEqual([200, 429]);
  });

  test('sends the message that is configured [MW-RATE-OPT-05]', async () => {
    const { app } = application({ requests: 0, per: '1s', message: 'Slow down.' });
    await using server = await servePlain(app);
    expect(await (await fetch(server.url)).text()).toBe('Slow down.');
  });

  test.each<[RateLimiterOptions, string]>([
    [{}, 'Rate limit exceeded: max 0 requests per 0s'],
    [{ per: '1s' }, 'Rate limit exceeded: max 0 requests per 1s'],
    [{ requests: 5 }, 'Rate limit exceeded: max 5 requests per 0s'],
  ])(
    'blocks everything with %p [MW-RATE-OPT-02, MW-RATE-OPT-04, LIMIT-MW-RATE-01, LIMIT-MW-RATE-02]',
    async (options, message) => {
      const { app, limiter } = application(options);
      await using server = await servePlain(app);
      const response = await fetch(server.url);
      expect([response.status, await response.text()]).toEqual([429, message]);
      expect(limiter.probe()).toMatchObject({
        status: 'degraded',
        summary: 'Every request is refused: requests or per is 0.',
      });
    },
  );

  test('counts a client by its address without the port [MW-RATE-02]', async () => {
    const { app } = application({ requests: 2, per: '1m' });
    await using server = await servePlain(app);
    // Each request comes from a new connection, and so from a new port.
    expect(await statuses(server.url, 3)).toEqual([200, 200, 429]);
  });

  test('counts clients apart by a key of the application', async () => {
    const { app } = application({ requests: 1, per: '1m', key: byHeader });
    await using server = await servePlain(app);
    expect([...(await statuses(server.url, 2, 'a')), ...(await statuses(server.url, 1, 'b'))]).toEqual([200, 429, 200]);
  });

  test('never believes X-Forwarded-For of a peer that is not a trusted proxy', async () => {
    const { app } = application({ requests: 1, per: '1m' });
    await using server = await servePlain(app);
    const ask = (address: string) => fetch(server.url, { headers: { 'X-Forwarded-For': address } });
    expect([(await ask('1.1.1.1')).status, (await ask('2.2.2.2')).status]).toEqual([200, 429]);
  });

  test('counts the client that a trusted proxy names, and no further left', async () => {
    const { app } = application({ requests: 1, per: '1m', trustedProxies: ['127.0.0.0/8', '10.0.0.1'] });
    await using server = await servePlain(app);
    const ask = async (header: string) => (await fetch(server.url, { headers: { 'X-Forwarded-For': header } })).status;
    expect(await ask('9.9.9.9, 1.1.1.1, 10.0.0.1')).toBe(200);
    expect(await ask('8.8.8.8, 1.1.1.1:4711')).toBe(429);
    expect(await ask('2.2.2.2')).toBe(200);
  });

  test('lets others pass while a request is slow [MW-RATE-04]', async () => {
    let release = () => {};
    const slow = new Promise<void>((resolve) => (release = resolve));
    const app = new Koa().use(newRateLimiter({ requests: 9, per: '1m' })).use(async (ctx) => {
      if (ctx.path === '/slow') await slow;
      ctx.body = 'ok';
    });
    await using server = await servePlain(app);
    const waiting = fetch(`${server.url}/slow`);
    expect((await fetch(`${server.url}/fast`)).status).toBe(200);
    release();
    expect((await waiting).status).toBe(200);
  });

  test('counts only after enableCounters(), and is degraded above a tenth refused [MW-PROBE-04]', async () => {
    const { app, limiter } = application({ requests: 1, per: '1m' });
    await using server = await servePlain(app);
    await statuses(server.url, 2);
    expect(limiter.probe()).toMatchObject({ status: 'ok', detail: { allowed: 0, rejected_429: 0, counting: false } });
    enableCounters();
    await statuses(server.url, 2);
    expect(limiter.probe()).toMatchObject({
      status: 'degraded',
      detail: { limit: 1, per: '1m0s', tracked_clients: 1, rejected_429: 2, counting: true, hit_rate: 0 },
    });
  });

  test('sends the RateLimit headers where they are asked for', async () => {
    const { app } = application({ requests: 3, per: '1m', headers: true, now: () => 0 });
    await using server = await servePlain(app);
    const { headers } = await fetch(server.url);
    expect(['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))).toEqual(['3', '2', '60']);
  });

  test.each([
    ['allow', 200],
    ['block', 429],
  ] as const)('when the store fails, %s', async (onStoreError, status) => {
    const store = { hit: () => Promise.reject(new TypeError('store away')) };
    const { app, limiter } = application({ requests: 1, per: '1m', store, onStoreError });
    await using server = await servePlain(app);
    expect(await statuses(server.url, 1)).toEqual([status]);
    expect(limiter.probe()).toMatchObject({
      status: 'degraded',
      detail: { store_errors: 1, last_store_error: 'store away' },
    });
  });
});

describe('FixedWindows', () => {
  test('sweeps ended windows once a minute, and no others [MW-RATE-05, LIMIT-MW-RATE-SWEEP]', () => {
    const windows = new FixedWindows();
    const minute = 60_000;
    windows.hit('short', 1000, 0);
    windows.hit('hour', 60 * minute, 0);
    windows.hit('other', 1000, minute - 1);
    expect(windows.size).toBe(3);
    windows.hit('other', 1000, minute);
    expect(windows.size).toBe(2);
    windows.hit('other', 1000, 30 * minute);
    expect(windows.hit('hour', 60 * minute, 30 * minute).count).toBe(2);
    windows.hit('other', 1000, 61 * minute);
    expect(windows.size).toBe(1);
  });

  test('makes room for a new client by forgetting the oldest window, and counts it', () => {
    const windows = new FixedWindows(2);
    for (const key of ['a', 'b', 'c']) windows.hit(key, 1000, 0);
    expect(windows.detail()).toEqual({ tracked_clients: 2, max_clients: 2, evicted_clients: 1 });
    expect(windows.hit('b', 1000, 0).count).toBe(2);
    expect(windows.hit('a', 1000, 0).count).toBe(1);
  });
});

describe('the plugin', () => {
  test('refuses an address of Redis that is none, and does not show it', async () => {
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(rateLimit), { requests: 1, per: '1m', redis: { url: 'https://me:hunter2@redis' } }),
    ];
    const refused = bootTestApp({ plugins });
    await expect(refused).rejects.toMatchObject({
      code: 'FW_CONFIG_OPTIONS',
      message: expect.stringMatching(/redis.*url must match pattern "\^rediss\?:\/\/"/),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('hunter2') });
  });

  test('uses the trusted proxies of the http plugin', async () => {
    const plugins = [
      plugin(() => Promise.resolve(http), { port: 0, trustedProxies: ['127.0.0.1'] }),
      plugin(() => Promise.resolve(rateLimit), { requests: 1, per: '1m', ipv6Prefix: 64 }),
      routesUnderTest((router) => router.get('/', (ctx) => ctx.ip)),
    ];
    await using app = await bootTestApp({ plugins });
    const { url } = app.services.get(HttpServer);
    const ask = (address: string) => fetch(url, { headers: { 'X-Forwarded-For': address } });
    const first = await ask('2001:db8:1:2::1');
    expect([first.status, await first.text()]).toEqual([200, '2001:db8:1:2::1']);
    expect((await ask('2001:db8:1:2:ffff::9')).status).toBe(429);
    expect((await ask('2001:db8:1:3::1')).status).toBe(200);
  });
});
