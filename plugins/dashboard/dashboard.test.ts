import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  definePlugin,
  HttpRoutes,
  HttpServer,
  Logger,
  ModelCatalogue,
  plugin,
  type Plugin,
} from '../../kernel/index.js';
import { bootTestApp, type BootedTestApp } from '../../kernel/testing/index.js';
import http, { routes } from '../http/index.js';
import logging from '../middleware/logging/index.js';
import recovery from '../middleware/recovery/index.js';
import dashboard, { DashboardService } from './index.js';

const shop = definePlugin({
  id: 'shop',
  category: 'app',
  description: 'routes for tests',
  needs: ['http'],
  register: ({ contribute, log }) =>
    contribute(HttpRoutes, () =>
      routes((router) => {
        router.get('/api/products/:id', { title: 'One product', tags: ['shop'] }, function product(ctx) {
          log.info({ id: ctx.params.id, token: 'hunter2' }, 'looked at password=hunter2');
          return { id: ctx.params.id };
        });
        router.get('/fails', () => {
          throw new RangeError('secret of a user');
        });
      }, 'shop'),
    ),
});

let app: BootedTestApp | undefined;
afterEach(() => app?.stop());

type Options = NonNullable<typeof dashboard extends Plugin<infer Input> ? Input : never>;

async function boot(options: Options = {}): Promise<BootedTestApp> {
  app = await bootTestApp({
    profile: 'dev',
    plugins: [plugin(async () => http, { port: 0 }), plugin(async () => dashboard, options), recovery, logging, shop],
  });
  return app;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: never;
}

function get(target: BootedTestApp, path: string, headers: object = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const url = `${target.services.get(HttpServer).url}${path}`;
    const sent = request(url, { headers: { ...headers } as Record<string, string>, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => {
        const json = /json/.test(String(response.headers['content-type'])) ? JSON.parse(text) : text;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, json: json as never });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('the dashboard API', () => {
  test('shows every route with its traffic, without its own', async () => {
    const shopApp = await boot();
    for (const path of ['/api/products/1', '/api/products/2', '/fails', '/nowhere']) await get(shopApp, path);
    const { json } = await get(shopApp, '/dashboard/api/routes');
    expect(json).toEqual([
      {
        method: 'GET',
        pattern: '/api/products/:id',
        controller: 'shop.product',
        middleware: ['dashboard', 'recovery', 'logging'],
        requests: 2,
        avg_latency_ms: expect.any(Number),
        p95_latency_ms: expect.any(Number),
        max_latency_ms: expect.any(Number),
        last_request: expect.stringMatching(/^\d{4}-.*Z$/),
        errors: 0,
        blocking: false,
        summary: 'One product',
        tags: ['shop'],
        documented: true,
      },
      expect.objectContaining({ pattern: '/fails', requests: 1, errors: 1, documented: false }),
    ]);
  });

  test('records failed requests at once, and the others while somebody looks', async () => {
    const shopApp = await boot();
    for (const path of ['/api/products/1', '/fails', '/nowhere?token=hunter2']) await get(shopApp, path);
    const first = (await get(shopApp, '/dashboard/api/requests')).json as Record<string, unknown>[];
    expect(first.map(({ path, route, status }) => [path, route, status])).toEqual([
      ['/nowhere', '', 404],
      ['/fails', '/fails', 500],
    ]);
    expect(first[1]).toMatchObject({ error: 'HTTP 500', method: 'GET', ip: '127.0.0.1' });
    expect(JSON.stringify(first)).not.toMatch(/hunter2|secret of a user/);
    await get(shopApp, '/api/products/1');
    const filtered = await get(shopApp, '/dashboard/api/requests?route=products&status=2xx&limit=5');
    expect(filtered.json).toMatchObject([{ path: '/api/products/1', status: 200 }]);
  });

  test('shows log lines by level, text and trace, with secrets masked', async () => {
    const shopApp = await boot();
    await get(shopApp, '/api/products/1');
    await get(shopApp, '/fails');
    shopApp.services.get(Logger).warn({ traceId: 'a'.repeat(32) }, 'slow disk');
    const messages = async (query: string) =>
      ((await get(shopApp, `/dashboard/api/logs?${query}`)).json as { message: string }[]).map(
        ({ message }) => message,
      );
    expect((await messages('q=looked'))[0]).toBe('looked at password=*** id=1 token=***');
    expect((await messages('level=http&q=products'))[0]).toMatch(/^GET \/api\/products\/1 200 [\d.]+ms$/);
    expect((await messages('level=panic'))[0]).toContain('secret of a user');
    expect(await messages(`level=warning&trace_id=${'a'.repeat(32)}`)).toEqual(['slow disk']);
    expect(await messages(`level=warning&trace_id=${'b'.repeat(32)}`)).toEqual([]);
    expect(await get(shopApp, '/dashboard/api/logs?level=loud')).toMatchObject({
      status: 400,
      json: { error: expect.stringMatching(/expected one of: app, http, error, panic, warning/) },
    });
  });

  test('shows what the process costs, now and over time', async () => {
    const shopApp = await boot();
    const { sampler } = shopApp.services.get(DashboardService);
    sampler.sample();
    sampler.sample();
    const { json } = await get(shopApp, '/dashboard/api/performance');
    const { current, history } = json as { current: Record<string, Record<string, number>>; history: unknown[] };
    expect(history).toHaveLength(2);
    expect(current['heap']?.['used']).toBeGreaterThan(1_000_000);
    expect(current['heap']?.['limit']).toBeGreaterThan(current['heap']?.['used'] as number);
    expect(current['cpu']?.['num_cpu']).toBeGreaterThan(0);
    expect(current['event_loop']?.['utilization']).toBeLessThanOrEqual(1);
  });

  test('shows the probes, all or one, and switches counters on [DIAG-HTTP-01]', async () => {
    const shopApp = await boot();
    const all = (await get(shopApp, '/dashboard/api/diagnostics')).json as { subsystems: { subsystem: string }[] };
    expect(all).toMatchObject({ counting: true, total: all.subsystems.length });
    expect(all.subsystems.map(({ subsystem }) => subsystem)).toEqual(
      expect.arrayContaining(['dashboard', 'kernel', 'mcp']),
    );
    expect((await get(shopApp, '/dashboard/api/diagnostics?subsystem=mcp')).json).toMatchObject({ status: 'off' });
    expect((await get(shopApp, '/dashboard/api/diagnostics?subsystem=dashboard')).json).toMatchObject({
      status: 'degraded',
    });
    const missing = await get(shopApp, '/dashboard/api/diagnostics?subsystem=nope');
    expect(missing).toMatchObject({ status: 404, json: { registered: expect.arrayContaining(['router']) } });
  });
});

test('knows the models of every plugin that has some, for the relation behind a repeated statement', async () => {
  const models = (name: string): Plugin =>
    definePlugin({
      id: `x/${name}`,
      category: 'orm',
      description: 'x',
      register: ({ contribute }) =>
        contribute(ModelCatalogue, () => ({
          models: () => [{ name, table: name, fields: [] }],
          schemaOf: () => undefined,
        })),
    });
  app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(dashboard), {}),
      models('books'),
      models('loans'),
    ],
  });
  expect(
    app.services
      .get(DashboardService)
      .models()
      .map(({ name }) => name),
  ).toEqual(['books', 'loans']);
});

describe('who may read it', () => {
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });

  test('without a login: this machine and its own pages only, and the boot says so loudly', async () => {
    const shopApp = await boot({ username: 'admin' });
    const host = new URL(shopApp.services.get(HttpServer).url).host;
    const statusOf = async (headers: object) => (await get(shopApp, '/dashboard/api/routes', headers)).status;
    expect(await statusOf({})).toBe(200);
    expect(await statusOf({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await statusOf({ origin: 'http://evil.example' })).toBe(403);
    expect(await statusOf({ host: 'evil.example' })).toBe(403);
    expect(shopApp.log.messages('warn')).toEqual([
      'the dashboard is OPEN to whoever uses this machine: set username and password of fw/dashboard (/dashboard)',
    ]);
  });

  test('with a login: nobody else, and a guesser only eight times', async () => {
    const shopApp = await boot({ username: 'admin', password: 'right' });
    const ask = (headers: object) => get(shopApp, '/dashboard/api/routes', headers);
    expect(await ask({})).toMatchObject({ status: 401, json: { error: 'unauthorized', login: '/dashboard/login' } });
    expect(await ask(basic('admin', 'right'))).toMatchObject({ status: 200 });
    for (let tries = 0; tries < 8; tries++) expect((await ask(basic('admin', `wrong${tries}`))).status).toBe(401);
    expect(await ask(basic('admin', 'right'))).toMatchObject({ status: 429, headers: { 'retry-after': '900' } });
  });

  test('with the service token: logs and diagnostics only, and a wrong one never falls back', async () => {
    const shopApp = await boot({ username: 'admin', password: 'right', serviceToken: 'svc' });
    const statusOf = async (path: string, headers: object) =>
      (await get(shopApp, `/dashboard/api/${path}`, headers)).status;
    expect(await statusOf('logs', { 'x-fleet-token': 'svc' })).toBe(200);
    expect(await statusOf('diagnostics', { 'x-fleet-token': 'svc' })).toBe(200);
    expect(await statusOf('routes', { 'x-fleet-token': 'svc' })).toBe(401);
    expect(await statusOf('logs', { 'x-fleet-token': 'wrong', ...basic('admin', 'right') })).toBe(401);
  });
});
