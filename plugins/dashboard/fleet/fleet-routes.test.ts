import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { HttpServer, plugin, type Plugin } from '../../../kernel/index.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/index.js';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import aggregator from '../../fleet/aggregator/index.js';
import http from '../../http/index.js';
import dashboard from '../index.js';

type Options = NonNullable<typeof dashboard extends Plugin<infer Input> ? Input : never>;

const VIEWER = { username: 'reader', password: 'reads-only' };
const INGEST = 'writes-only';
const asReader = { fleetAggregatorUsername: VIEWER.username, fleetAggregatorPassword: VIEWER.password };

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function boot(plugins: Parameters<typeof bootTestApp>[0]['plugins']): Promise<BootedTestApp> {
  const app = await bootTestApp({ plugins });
  ends.push(() => app.stop());
  return app;
}

const urlOf = (app: BootedTestApp) => app.services.get(HttpServer).url;

function bootAggregator(port = 0): Promise<BootedTestApp> {
  const options = { ...VIEWER, ingestToken: INGEST };
  return boot([plugin(async () => http, { port }), plugin(async () => aggregator, options)]);
}

function bootDashboard(options: Options): Promise<BootedTestApp> {
  return boot([plugin(async () => http, { port: 0 }), plugin(async () => dashboard, options)]);
}

/** What a browser of this machine sends: no Host but our own. */
async function read(app: BootedTestApp, path: string, init: RequestInit = {}) {
  const response = await fetch(`${urlOf(app)}/dashboard/api/fleet/${path}`, init);
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as never) : null,
  };
}

async function send(base: string, ...spans: object[]): Promise<void> {
  const headers = { 'x-fleet-token': INGEST, 'content-type': 'application/json' };
  const response = await fetch(`${base}/fleet/api/spans`, { method: 'POST', headers, body: JSON.stringify(spans) });
  expect(response.status).toBe(202);
}

/** A server that stands where an aggregator should. */
async function impostor(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  ends.push(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/fleet`;
}

describe('the way from the dashboard to the aggregator', () => {
  test('is not there without fleetAggregatorURL [FLEET-DASHBOARD-URL-02]', async () => {
    const app = await bootDashboard({});
    expect((await read(app, 'stats')).status).toBe(404);
    expect(
      app.services
        .get(HttpServer)
        .routes()
        .filter(({ path }) => path.includes('/fleet')),
    ).toEqual([]);
  });

  test('takes a string for fleetAggregatorURL and nothing else [FLEET-DASHBOARD-URL-01]', async () => {
    await expect(bootDashboard({ fleetAggregatorURL: 9000 as never })).rejects.toThrow(/fleetAggregatorURL.*string/s);
  });

  test.each([
    ['fleet:9000/fleet', /only http and https/],
    ['not a url', /no URL/],
    ['ftp://fleet/fleet', /only http and https/],
    ['http://me:secret@fleet/fleet', /credentials/],
    ['http://fleet/fleet?x=1', /query/],
  ])('refuses %s at boot', async (fleetAggregatorURL, problem) => {
    const failure = await bootDashboard({ fleetAggregatorURL }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(problem);
    expect(String(failure)).not.toContain('secret');
  });

  test('reads with credentials that never leave the server', async () => {
    const fleet = await bootAggregator();
    await send(urlOf(fleet), span({ id: 1, service: 'gateway', status: 500 }));
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet/`, ...asReader });
    const list = await read(app, 'traces?min_services=1&status=error');
    expect(list).toMatchObject({ status: 200, json: [{ trace_id: traceId(1), root_service: 'gateway' }] });
    expect(list.headers.get('cache-control')).toBe('no-store');
    const trace = await read(app, `traces/${traceId(1)}`);
    expect(trace.json).toMatchObject({ root_cause_span_id: expect.any(String) });
    const page = await (await fetch(`${urlOf(app)}/dashboard/fleet`, { headers: { accept: 'text/html' } })).text();
    for (const text of [list.text, trace.text, page]) expect(text).not.toContain(VIEWER.password);
  });

  test('a path is an aggregator of this application', async () => {
    const app = await boot([
      plugin(async () => http, { port: 0 }),
      aggregator,
      plugin(async () => dashboard, { fleetAggregatorURL: '/fleet' }),
    ]);
    expect(await read(app, 'stats')).toMatchObject({ status: 200, json: { traces: 0, max_traces: 2000 } });
  });

  test('wrong logins of somebody on this machine do not lock out the dashboard of the same application', async () => {
    const options = { fleetAggregatorURL: '/fleet', ...asReader };
    const app = await boot([
      plugin(async () => http, { port: 0 }),
      plugin(async () => aggregator, { ...VIEWER, ingestToken: INGEST }),
      plugin(async () => dashboard, options),
    ]);
    const headers = { authorization: `Basic ${Buffer.from('reader:guess').toString('base64')}` };
    const guess = async () => (await fetch(`${urlOf(app)}/fleet/api/services`, { headers })).status;
    const statuses = [];
    for (let tries = 0; tries < 9; tries++) statuses.push(await guess());
    expect(statuses.at(-1)).toBe(429);
    expect((await read(app, 'services')).status).toBe(200);
  });

  test('wrong credentials are a problem between the servers, not a login of the person who looks', async () => {
    const fleet = await bootAggregator();
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet` });
    expect(await read(app, 'stats')).toMatchObject({ status: 502, json: { code: 'FW_DASHBOARD_FLEET_REFUSED' } });
  });

  test('reaches the named paths and nothing else', async () => {
    const seen: string[] = [];
    const url = await impostor(({ url: path }, response) => {
      seen.push(path as string);
      response.setHeader('content-type', 'application/json').end('{}');
    });
    const app = await bootDashboard({ fleetAggregatorURL: url });
    const id = traceId(7);
    expect((await read(app, `traces/${id}/explain`)).status).toBe(200);
    const elsewhere = ['spans', 'heartbeat', 'ws', '..%2f..%2fadmin', `traces/${id}/..%2f..%2f..`, 'traces/%2e%2e'];
    for (const path of elsewhere) expect([400, 404]).toContain((await read(app, path)).status);
    expect(await read(app, 'traces/ABC')).toMatchObject({ status: 400, json: { code: 'FW_DASHBOARD_FLEET_REQUEST' } });
    expect(seen).toEqual([`/fleet/api/traces/${id}/explain`]);
  });

  test('passes on what the aggregator says of a trace that is gone', async () => {
    const fleet = await bootAggregator();
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet`, ...asReader });
    expect(await read(app, `traces/${traceId(9)}`)).toMatchObject({
      status: 404,
      json: { code: 'FW_DASHBOARD_FLEET_GONE', detail: expect.stringContaining('trace not found') },
    });
  });

  test.each<[string, RequestListener, RegExp]>([
    ['a redirect', (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), /302/],
    ['another service', (_, response) => response.setHeader('content-type', 'text/html').end('<p>hi'), /no JSON/],
    ['a failing one', (_, response) => response.writeHead(503).end('busy'), /503/],
    ['a 404 of a proxy', (_, response) => response.writeHead(404).end('no'), /404/],
    ['too long an answer', (_, response) => {
      response.setHeader('content-type', 'application/json').end(`"${'x'.repeat(17 * 1024 * 1024)}"`);
    }, /larger than/],
  ])('%s is a 502 that says so', async (_, listener, problem) => {
    const app = await bootDashboard({ fleetAggregatorURL: await impostor(listener) });
    expect(await read(app, 'stats')).toMatchObject({
      status: 502,
      json: { code: 'FW_DASHBOARD_FLEET_ANSWER', detail: expect.stringMatching(problem) },
    });
  }); // prettier-ignore

  test('an aggregator that is away is a 502, and is found again when it is back', async () => {
    const first = await bootAggregator();
    const { port } = first.services.get(HttpServer);
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(first)}/fleet`, ...asReader });
    expect((await read(app, 'stats')).status).toBe(200);
    await first.stop();
    expect(await read(app, 'stats')).toMatchObject({
      status: 502,
      json: { code: 'FW_DASHBOARD_FLEET_UNREACHABLE', detail: expect.stringContaining('nothing listens there') },
    });
    await bootAggregator(port);
    expect((await read(app, 'stats')).status).toBe(200);
  });

  test('needs the login of the dashboard when there is one', async () => {
    const fleet = await bootAggregator();
    const login = { username: 'me', password: 'mine' };
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet`, ...asReader, ...login });
    expect((await read(app, 'stats')).status).toBe(401);
    expect((await read(app, 'import', { method: 'POST', body: '{}' })).status).toBe(401);
    const authorization = `Basic ${Buffer.from('me:mine').toString('base64')}`;
    expect((await read(app, 'stats', { headers: { authorization } })).status).toBe(200);
    const socket = new WebSocket(`${urlOf(app).replace('http', 'ws')}/dashboard/api/fleet/live`);
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(401);
    socket.terminate();
  });

  test.each<[Options, number]>([
    [{}, 200],
    [{ username: 'me' }, 200],
    [{ password: 'mine' }, 200],
    [{ username: 'me', password: '' }, 200],
    [{ username: 'me', password: 'mine' }, 401],
  ])('the dashboard follows the rule of the aggregator: %j is enforced when both are set [FLEET-AUTH-READ-03]', async (login, status) => {
    const app = await boot([
      plugin(async () => http, { port: 0 }),
      aggregator,
      plugin(async () => dashboard, { fleetAggregatorURL: '/fleet', ...login }),
    ]);
    expect((await read(app, 'stats')).status).toBe(status);
    expect((await fetch(`${urlOf(app)}/dashboard/api/routes`)).status).toBe(status);
  }); // prettier-ignore

  test('exports a trace, and imports it under the write credential', async () => {
    const one = await bootAggregator();
    await send(urlOf(one), span({ id: 1, service: 'a' }), span({ id: 2, parent: 1, service: 'b' }));
    const from = await bootDashboard({ fleetAggregatorURL: `${urlOf(one)}/fleet`, ...asReader });
    const file = await read(from, `traces/${traceId(1)}/export`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="trace-${traceId(1)}.json"`);
    const other = await bootAggregator();
    const login = { username: 'me', password: 'mine' };
    const options = { fleetAggregatorURL: `${urlOf(other)}/fleet`, ...asReader, ...login };
    const headers = { authorization: `Basic ${Buffer.from('me:mine').toString('base64')}` };
    const init = { method: 'POST', body: file.text, headers };
    expect((await read(await bootDashboard(options), 'import', init)).json).toMatchObject({
      code: 'FW_DASHBOARD_FLEET_REFUSED',
      detail: expect.stringContaining('ingest token'),
    });
    const writer = await bootDashboard({ ...options, fleetIngestToken: INGEST });
    expect(await read(writer, 'import', init)).toMatchObject({ status: 200, json: { accepted: 2 } });
    expect((await read(writer, `traces/${traceId(1)}`, { headers })).json).toMatchObject({ span_count: 2 });
    expect((await read(writer, 'import', { ...init, body: '{"format":"else"}' })).json).toMatchObject({
      code: 'FW_DASHBOARD_FLEET_REQUEST',
      detail: expect.stringContaining('fw-fleet-export'),
    });
    const foreign = await read(writer, 'import', { ...init, headers: { ...headers, origin: 'http://evil.example' } });
    expect(foreign.status).toBe(403);
  });
});

describe('an incident', () => {
  test('is acknowledged and noted through the dashboard, by whoever may write there', async () => {
    const one = await bootAggregator();
    const failing = Array.from({ length: 12 }, (_, at) =>
      span({
        trace: at + 1,
        id: at + 1,
        service: 'orders',
        status: 500,
        error: 'HTTP 500',
        start_ns: `${Date.now()}000000`,
      } as never),
    );
    await send(urlOf(one), ...failing);
    const login = { username: 'me', password: 'mine' };
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(one)}/fleet`, ...asReader, ...login });
    const headers = {
      authorization: `Basic ${Buffer.from('me:mine').toString('base64')}`,
      'content-type': 'application/json',
    };
    const act = (action: string, body: object, more: object = {}) =>
      read(app, `incidents/1/${action}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, ...more },
      });
    expect((await read(app, 'incidents', { headers })).json).toMatchObject([{ id: 1, state: 'open' }]);
    expect((await act('acknowledge', {}, { authorization: 'Basic eDp5' })).status).toBe(401);
    expect((await act('acknowledge', {}, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await act('erase', {})).json).toMatchObject({ code: 'FW_DASHBOARD_FLEET_REQUEST' });
    expect((await act('notes', {})).json).toMatchObject({
      code: 'FW_DASHBOARD_FLEET_REQUEST',
      detail: expect.stringMatching(/text/),
    });
    expect((await act('acknowledge', { by: 'me' })).json).toMatchObject({ acknowledged_by: 'me' });
    expect((await read(app, 'incidents', { headers })).json).toMatchObject([
      { service: 'orders', acknowledged_by: 'me', cause: { name: 'orders', route: '/' } },
    ]);
  });
});

describe('the live relay', () => {
  /** Messages of a page's connection. */
  async function watch(app: BootedTestApp) {
    const socket = new WebSocket(`${urlOf(app).replace('http', 'ws')}/dashboard/api/fleet/live`);
    ends.push(() => socket.terminate());
    const texts: string[] = [];
    socket.on('message', (data) => texts.push(String(data)));
    const until = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const at = texts.findIndex((text) => pattern.test(text));
        if (at >= 0) return texts.splice(0, at + 1).at(-1) as string;
        await once(socket, 'message');
      }
    };
    return { socket, until };
  }

  const IS_THERE = /"aggregator","connected":true/;

  test('shows the topology and what happens; credentials stay above', async () => {
    const fleet = await bootAggregator();
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet`, ...asReader });
    const page = await watch(app);
    await page.until(IS_THERE);
    expect(await page.until(/topology_snapshot/)).not.toContain(VIEWER.password);
    await send(urlOf(fleet), span({ id: 1, service: 'gateway', status: 503 }));
    expect(JSON.parse(await page.until(/trace_event/))).toMatchObject({
      data: { trace_id: traceId(1), service: 'gateway', error: true },
    });
    // Whoever comes later does not wait for the next topology.
    const second = await watch(app);
    await second.until(IS_THERE);
    await second.until(/topology_snapshot/);
  });

  test('one connection to the aggregator serves every page, and ends with the last of them', async () => {
    const fleet = await bootAggregator();
    const clients = () => {
      const { detail } = fleet.diagnostics.get('fleet-aggregator') as unknown as {
        detail: { socket: { clients: number } };
      };
      return detail.socket.clients;
    };
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet`, ...asReader });
    const pages = [await watch(app), await watch(app), await watch(app)];
    for (const { until } of pages) await until(IS_THERE);
    expect(clients()).toBe(1);
    for (const { socket } of pages) {
      socket.close();
      await once(socket, 'close');
    }
    while (clients() > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  test('says when the aggregator goes, why, and when it is back', async () => {
    const first = await bootAggregator();
    const { port } = first.services.get(HttpServer);
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(first)}/fleet`, ...asReader });
    const page = await watch(app);
    await page.until(IS_THERE);
    await first.stop();
    expect(JSON.parse(await page.until(/"connected":false/))).toMatchObject({
      reason: expect.stringMatching(/closed|ECONN/),
    });
    await bootAggregator(port);
    await page.until(IS_THERE);
  });

  test('says that its credentials are wrong', async () => {
    const fleet = await bootAggregator();
    const app = await bootDashboard({ fleetAggregatorURL: `${urlOf(fleet)}/fleet` });
    expect(await (await watch(app)).until(/"reason"/)).toContain('refuses the credentials');
  });
});
