import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Address, definePlugin, HttpServer, plugin, ReadinessCheck, type Router } from '../../../kernel/index.js';
import { type BootedTestApp, bootTestApp, routesUnderTest } from '../../../kernel/testing/index.js';
import { holdTimers } from '../../../kernel/testing/held-timers.js';
import { until } from '../../../kernel/testing/until.js';
import http, { type HttpOptions } from '../index.js';

const running: BootedTestApp[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const app of running.splice(0)) await app.stop();
});

interface Served {
  readonly make?: () => ReadinessCheck;
  readonly check?: (signal: AbortSignal) => unknown;
  readonly routes?: (router: Router) => void;
}

async function serve(options: Partial<HttpOptions> = {}, { make, check, routes = () => undefined }: Served = {}) {
  const dependency = definePlugin({
    id: 'dependency',
    category: 'app',
    description: 'Something that the application cannot do without',
    register({ contribute }) {
      if (make) contribute(ReadinessCheck, make);
      if (check) contribute(ReadinessCheck, () => ({ name: 'broker', check }));
    },
  });
  const app = await bootTestApp({
    plugins: [plugin(() => Promise.resolve(http), { port: 0, ...options }), routesUnderTest(routes), dependency],
  });
  running.push(app);
  const { url } = app.services.get(HttpServer);
  return { app, url, get: (path: string, init?: RequestInit) => fetch(url + path, init) };
}

describe('health of fw/http', () => {
  test('says that the process answers and that the application takes requests, with what was checked on this machine', async () => {
    const { get } = await serve({}, { check: () => Promise.resolve() });
    const live = await get('/livez');
    expect([live.status, await live.json()]).toEqual([200, { status: 'alive' }]);
    const ready = await get('/readyz?verbose');
    expect([ready.status, ready.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await ready.json()).toEqual({ status: 'ready', checks: [{ name: 'broker', ok: true }], degraded: [] });
    const head = await get('/readyz', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('leaves paths that only begin like its own to routes', async () => {
    const { get } = await serve({}, { routes: (router) => void router.get('/*path', (ctx) => ctx.path) });
    for (const path of ['/livezz', '/livez/a', '/readyz2', '/ready']) expect(await (await get(path)).text()).toBe(path);
    expect(await (await get('/livez?a')).json()).toEqual({ status: 'alive' });
  });

  test('is not ready while something does not answer, lives on, and logs each change once', async () => {
    let problem: Error | undefined = new Error('connect ECONNREFUSED 10.1.2.3');
    const check = () => {
      if (problem) throw problem;
    };
    const { app, get } = await serve({}, { check });
    const answer = await get('/readyz');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([
      503,
      'application/problem+json',
      '1',
    ]);
    expect(await answer.json()).toMatchObject({
      code: 'FW_HTTP_NOT_READY',
      checks: [{ name: 'broker', ok: false, message: expect.stringContaining('ECONNREFUSED') }],
    });
    expect((await get('/livez')).status).toBe(200);
    problem = undefined;
    await until(async () => (await get('/readyz')).status === 200, 'readiness');
    const lines = app.log.lines.filter(({ message }) => /ready/.test(message));
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['warn', 'not ready: broker does not answer'],
      ['info', 'ready again'],
    ]);
  });

  test('tells strangers no more than whether, and asks once however many want to know', async () => {
    let asked = 0;
    const { get } = await serve({}, { check: () => Promise.reject(new Error(`secret of ${++asked}`)) });
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => get('/readyz', forwarded)));
    for (const each of answers) {
      expect(each.status).toBe(503);
      expect(await each.text()).not.toMatch(/secret|broker/);
    }
    expect(asked).toBeLessThan(5);
  });

  test('asks a check that is an instance of a class', async () => {
    class Broker {
      readonly name = 'broker';
      readonly answers = true;
      check() {
        if (!this.answers) throw new Error('away');
      }
    }
    const { get } = await serve({}, { make: () => new Broker() });
    expect((await get('/readyz')).status).toBe(200);
  });

  test('is not ready where a plugin fails to make its check, and lives on', async () => {
    const { get } = await serve(
      {},
      {
        make: () => {
          throw new TypeError('no such broker');
        },
      },
    );
    for (let asked = 0; asked < 2; asked++) {
      const answer = await get('/readyz');
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        checks: [{ name: 'readiness check', message: expect.stringContaining('no such broker') }],
      });
    }
    expect((await get('/livez')).status).toBe(200);
  });

  test('waits for a check no longer than it is told', async () => {
    const { get } = await serve({ health: { timeout: '50ms' } }, { check: () => new Promise(() => undefined) });
    const answer = await get('/readyz');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ checks: [{ message: expect.stringMatching(/timeout|aborted/) }] });
  });

  test('is not ready once it is to stop, and takes requests until the delay is over', async () => {
    const { app, get } = await serve(
      { health: { stopDelay: '1h' } },
      { routes: (router) => router.get('/', () => ({ ok: true })) },
    );
    expect((await get('/readyz')).status).toBe(200);
    // The delay passes when the test says so.
    holdTimers();
    const stopping = app.stop();
    expect((await get('/readyz')).status).toBe(503);
    jest.advanceTimersByTime(3_599_000);
    expect([(await get('/livez')).status, (await get('/')).status]).toEqual([200, 200]);
    jest.advanceTimersByTime(1_000);
    jest.useRealTimers();
    await stopping;
    await expect(get('/livez')).rejects.toThrow('fetch failed');
  });

  test('is among the addresses that a start prints, behind that of the application, unless nothing of ours answers there', async () => {
    const told = ({ app }: Awaited<ReturnType<typeof serve>>) =>
      app.services.all(Address).flatMap(({ label, url }) => (url() === undefined ? [] : [[label, url()]]));
    const plain = await serve();
    expect(told(plain)).toEqual([
      ['Application', plain.url],
      ['Liveness', `${plain.url}/livez`],
      ['Readiness', `${plain.url}/readyz`],
    ]);
    const renamed = await serve({ health: { live: '/alive' } }, { routes: (router) => router.get('/readyz', () => 'mine') }); // prettier-ignore
    expect(told(renamed)).toEqual([
      ['Application', renamed.url],
      ['Liveness', `${renamed.url}/alive`],
    ]);
    const without = await serve({ health: false });
    expect(told(without)).toEqual([['Application', without.url]]);
  });

  test('leaves the way to a route of the application, answers elsewhere, or nowhere', async () => {
    const own = await serve({}, { routes: (router) => router.get('/livez', () => ({ own: true })) });
    expect(await (await own.get('/livez')).json()).toEqual({ own: true });
    const moved = await serve({ health: { live: '/health/live', ready: '/health/ready' } });
    expect([(await moved.get('/health/live')).status, (await moved.get('/livez')).status]).toEqual([200, 404]);
    const off = await serve({ health: false });
    expect([(await off.get('/livez')).status, (await off.get('/readyz')).status]).toEqual([404, 404]);
    expect((await moved.get('/health/ready', { method: 'POST' })).status).toBe(404);
  });

  test('is answered when requests are turned away', async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { get } = await serve({ inFlight: { requests: 1 } }, { routes: (router) => router.get('/', () => held) });
    const first = get('/');
    await until(async () => (await get('/none')).status === 503, 'bound that is reached');
    expect([(await get('/livez')).status, (await get('/readyz')).status]).toEqual([200, 200]);
    release();
    await first;
  });
});
