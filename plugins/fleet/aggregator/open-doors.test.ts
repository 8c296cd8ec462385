import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/index.js';
import { until } from '../../../kernel/testing/until.js';
import { HttpServer, plugin } from '../../../kernel/index.js';
import type { HttpOptions } from '../../http/index.js';
import http from '../../http/index.js';
import dashboard from '../../dashboard/index.js';
import tracer from '../tracer/index.js';
import aggregator, { type AggregatorConfig, FleetAggregator } from './index.js';

const apps: BootedTestApp[] = [];
afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.stop();
});

interface Parts {
  readonly profile?: string;
  readonly server?: Partial<HttpOptions>;
  readonly fleet?: AggregatorConfig;
  readonly login?: { readonly username: string; readonly password: string };
}

/** An application with every door that can be open: dashboard, aggregator, and a tracer that uses the latter. */
async function boot({ profile = 'dev', server = {}, fleet = {}, login }: Parts): Promise<BootedTestApp> {
  const app = await bootTestApp({
    profile,
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0, ...server }),
      plugin(() => Promise.resolve(aggregator), fleet),
      plugin(() => Promise.resolve(tracer), { enabled: true, flushInterval: 20 }),
      plugin(() => Promise.resolve(dashboard), { fleetAggregatorURL: '/fleet', ...login }),
      routesUnderTest((router) => router.get('/traced', () => 'ok')),
    ],
  });
  apps.push(app);
  return app;
}

const urlOf = (app: BootedTestApp) => app.services.get(HttpServer).url;

/** Every door that guards itself: what is asked, and the answer to somebody who may pass. */
const READS = [
  '/dashboard',
  '/dashboard/api/routes',
  '/dashboard/api/logs',
  '/dashboard/api/fleet/stats',
  '/fleet/api/stats',
];

function ask(app: BootedTestApp, path: string, headers: IncomingHttpHeaders = {}, body?: string): Promise<number> {
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${urlOf(app)}${path}`, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('error', reject).end(body);
  });
}

function opens(
  app: BootedTestApp,
  path: string,
  hello: object | undefined,
  headers: Record<string, string> = {},
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${urlOf(app).replace('http', 'ws')}${path}`, { headers });
    socket.on('error', () => resolve(false)).on('close', () => resolve(false));
    const pass = () => (socket.terminate(), resolve(true));
    // The aggregator asks who it is after the handshake, the dashboard before.
    socket.on('open', () => (hello === undefined ? pass() : socket.send(JSON.stringify(hello))));
    socket.on('message', pass);
  });
}

/** Which doors a request passes. */
async function passed(app: BootedTestApp, headers: Record<string, string> = {}): Promise<readonly string[]> {
  const doors: (readonly [string, () => Promise<boolean>])[] = [
    ...READS.map((path) => [path, async () => (await ask(app, path, headers)) === 200] as const),
    ['spans', async () => (await ask(app, '/fleet/api/spans', headers, '[]')) === 202],
    ['import', async () => (await ask(app, '/fleet/api/import', headers, '{"spans":[]}')) === 400],
    ['viewer', () => opens(app, '/fleet/ws', { type: 'auth' }, headers)],
    ['ingest', () => opens(app, '/fleet/ws', { type: 'auth', role: 'ingest' }, headers)],
    ['dashboard live', () => opens(app, '/dashboard/ws', undefined, headers)],
    ['fleet live', () => opens(app, '/dashboard/api/fleet/live', undefined, headers)],
  ];
  const results = await Promise.all(doors.map(async ([name, isOpen]) => ((await isOpen()) ? [name] : [])));
  return results.flat();
}

const ALL = [...READS, 'spans', 'import', 'viewer', 'ingest', 'dashboard live', 'fleet live'];

describe('without credentials', () => {
  test('every door is open to this machine in development, and to no other name, proxy or page', async () => {
    const app = await boot({});
    expect(await passed(app)).toEqual(ALL);
    for (const headers of [
      { host: 'shop.example' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { via: '1.1 proxy' },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      expect([headers, await passed(app, headers)]).toEqual([headers, []]);
    }
  });

  test.each<[string, Parts]>([
    ['in profile prod', { profile: 'prod' }],
    ['on a listener beyond loopback', { server: { host: '0.0.0.0' } }],
    ['with trusted proxies', { server: { trustedProxies: ['10.0.0.0/8'] } }],
    ['with half a login', { profile: 'prod', fleet: { username: 'admin' } }],
  ])('every door is closed %s, and the boot names each with what to set', async (_, parts) => {
    const app = await boot(parts);
    expect(await passed(app)).toEqual([]);
    expect(await passed(app, { 'x-fleet-token': '' })).toEqual([]);
    expect(app.log.messages('warn')).toEqual([
      expect.stringMatching(/^the read API of the Fleet aggregator is CLOSED.* set username and password/),
      expect.stringMatching(/^the write API of the Fleet aggregator is CLOSED.* set ingestToken/),
      expect.stringMatching(/^the dashboard is CLOSED.* set username and password/),
    ]);
  });

  test('the answer of a closed door says what to set', async () => {
    const app = await boot({ profile: 'prod' });
    const answer = await fetch(`${urlOf(app)}/fleet/api/stats`);
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: expect.stringMatching(/the profile is prod\. Set username and password of fw\/fleet\/aggregator/) },
    ]);
  });

  test.each<[HttpOptions['openDoors'], readonly string[]]>([
    ['local', []],
    ['everyone', ALL],
  ])('openDoors: %s undoes that', async (openDoors, forwarded) => {
    const app = await boot({ profile: 'prod', server: { openDoors, host: '0.0.0.0', trustedProxies: ['10.0.0.0/8'] } });
    expect(await passed(app)).toEqual(ALL);
    expect(await passed(app, { 'x-forwarded-for': '203.0.113.9' })).toEqual(forwarded);
    expect(await passed(app, { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' })).toEqual([]);
    expect(app.log.messages('warn')).toHaveLength(3);
  });

  test('the application itself still traces, and a guarded dashboard still shows it', async () => {
    const login = { username: 'admin', password: 'right' };
    const app = await boot({ profile: 'prod', login });
    const stored = app.services.get(FleetAggregator);
    expect(await ask(app, '/traced')).toBe(200);
    await until(() => stored.stats().spans > 0, 'a span of its own');
    const authorization = `Basic ${Buffer.from('admin:right').toString('base64')}`;
    expect(await ask(app, '/dashboard/api/fleet/stats', { authorization })).toBe(200);
    const page = await fetch(`${urlOf(app)}/dashboard`, { headers: { authorization }, redirect: 'manual' });
    const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await opens(app, '/dashboard/api/fleet/live', undefined, { cookie })).toBe(true);
    expect(await ask(app, '/fleet/api/stats', { authorization })).toBe(403);
  });
});

test('each credential guards its own door alone', async () => {
  const login = { username: 'u', password: 'p' };
  const basic = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
  const reading = await boot({ fleet: login });
  expect([await ask(reading, '/fleet/api/stats'), await ask(reading, '/fleet/api/spans', {}, '[]')]).toEqual([
    401, 202,
  ]);
  const writing = await boot({ fleet: { ingestToken: 't' } });
  expect([await ask(writing, '/fleet/api/stats'), await ask(writing, '/fleet/api/spans', {}, '[]')]).toEqual([
    200, 401,
  ]);
  // With a credential the local rule is not asked: the same request passes from anywhere.
  const prod = await boot({ profile: 'prod', fleet: { ...login, ingestToken: 't' } });
  const foreign = { host: 'shop.example', 'x-forwarded-for': '203.0.113.9' };
  expect(await ask(prod, '/fleet/api/stats', { ...foreign, ...basic })).toBe(200);
  const spans = JSON.stringify([span({ id: 1 })]);
  expect(await ask(prod, '/fleet/api/spans', { ...foreign, 'x-fleet-token': 't' }, spans)).toBe(202);
  expect(prod.services.get(FleetAggregator).trace(traceId(1))).toBeDefined();
});
