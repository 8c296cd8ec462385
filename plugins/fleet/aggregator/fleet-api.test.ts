import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect as connectTcp, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { span, spanId, traceId } from '../../../kernel/testing/fleet-spans.js';
import { until } from '../../../kernel/testing/until.js';
import { DiagnosticsRegistry, HttpServer, plugin } from '../../../kernel/index.js';
import http from '../../http/index.js';
import aggregatorPlugin, { type AggregatorConfig, FleetAggregator } from './index.js';
import { RequestBodies } from './request-bodies.js';

const apps: BootedTestApp[] = [];

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
});

async function boot(options: AggregatorConfig = {}): Promise<{ app: BootedTestApp; url: string }> {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), options),
    ],
  });
  apps.push(app);
  return { app, url: `${app.services.get(HttpServer).url}/fleet` };
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers,
  });
const basic = (login: string) => ({ authorization: `Basic ${Buffer.from(login).toString('base64')}` });

describe('writing', () => {
  test('takes gzip with the token and refuses it without [FLEET-HTTP-INGEST, FLEET-AUTH-INGEST-01, FLEET-AGG-INGEST-TOKEN]', async () => {
    const { app, url } = await boot({ ingestToken: 'write me' });
    const body = gzipSync(JSON.stringify([span({ id: 1 })]));
    const headers = { 'content-encoding': 'gzip' };
    const refused = await post(`${url}/api/spans`, body, headers);
    expect([refused.status, await refused.json()]).toEqual([401, { error: 'unauthorized' }]);
    expect((await post(`${url}/api/spans`, body, { ...headers, 'x-fleet-token': 'write mE' })).status).toBe(401);
    const taken = await post(`${url}/api/spans`, body, { ...headers, 'x-fleet-token': 'write me' });
    expect([taken.status, await taken.json()]).toEqual([202, { accepted: 1 }]);
    expect(app.services.get(FleetAggregator).stats().spans).toBe(1);
  });

  test('refuses bodies that hold too much together, and takes them later', async () => {
    const { app, url } = await boot({ maxBodyBytes: 4096, maxBodiesBytes: 8192 });
    const { port } = app.services.get(HttpServer);
    const half = 'x'.repeat(4000);
    const begun = [1, 2].map(() => {
      const socket = connectTcp(port, '127.0.0.1').on('error', () => {});
      socket.write(`POST /fleet/api/spans HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4096\r\n\r\n${half}`);
      return socket;
    });
    const bodies = () => app.services.get(DiagnosticsRegistry).get('fleet-aggregator')?.detail?.['bodies'];
    await until(() => (bodies() as { bytes: number }).bytes === 8000, 'two half bodies');
    const batch = `${JSON.stringify([span({ id: 1 })])}${' '.repeat(400)}`;
    const refused = await post(`${url}/api/spans`, batch);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      503,
      '1',
      { error: 'too many bodies at a time: together at most 8192 bytes; come again in 1 s' },
    ]);
    for (const socket of begun) socket.destroy();
    await until(() => (bodies() as { bytes: number }).bytes === 0, 'room');
    expect((await post(`${url}/api/spans`, batch)).status).toBe(202);
    expect(bodies()).toEqual({ bytes: 0, max_bytes: 8192, refused: 1 });
  });

  test('refuses a body at once whose client has left', async () => {
    const bodies = new RequestBodies({ maxBodiesBytes: 8192, maxBodyBytes: 4096 });
    const request = new IncomingMessage(new Socket());
    await once(request.destroy(), 'close');
    await expect(bodies.use(request, 4096, String)).rejects.toMatchObject({ code: 'FW_FLEET_BODY_ABORTED' });
    expect(bodies.stats().bytes).toBe(0);
  });

  test.each([
    ['no JSON', '{', {}, 400, /malformed span batch/],
    ['an object', '{}', {}, 400, /malformed span batch/],
    ['a span without ids', '[{}]', {}, 400, /invalid span identity at index 0/],
    ['gzip that is none', 'nonsense', { 'content-encoding': 'gzip' }, 400, /invalid gzip payload/],
    [
      'gzip that is cut off',
      gzipSync('[1,2,3,4,5,6,7,8]').subarray(0, 20),
      { 'content-encoding': 'gzip' },
      400,
      /invalid gzip/,
    ],
    ['another encoding', '[]', { 'content-encoding': 'br' }, 415, /expected gzip or none/],
    ['a body over the limit', `[${' '.repeat(5_000)}]`, {}, 413, /^payload too large: at most 4096/],
    [
      'a body over the limit once unzipped',
      gzipSync(`[${' '.repeat(5_000)}]`),
      { 'content-encoding': 'gzip' },
      413,
      /expanded/,
    ],
    ['more spans than a batch may have', `[${Array(11).fill('{}').join()}]`, {}, 413, /batch too large: 11 spans/],
  ])('answers %s with an error that says what was expected', async (_, body, headers, status, error) => {
    const { app, url } = await boot({ maxBodyBytes: 4096, maxBatchSpans: 10 });
    const answer = await post(`${url}/api/spans`, body, headers as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(error) });
    expect(app.services.get(FleetAggregator).stats().spans).toBe(0);
  });

  test('without a token is open to this machine only: no other host name, no page of another site', async () => {
    const { url } = await boot();
    expect((await post(`${url}/api/spans`, [], { origin: 'http://evil.example' })).status).toBe(403);
    expect((await post(`${url}/api/spans`, [], { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await post(`${url}/api/spans`, [], { 'sec-fetch-site': 'same-origin' })).status).toBe(202);
  });
});

describe('reading', () => {
  test('asks for name and password when both are set, and for neither otherwise [FLEET-AUTH-READ-01, FLEET-AUTH-READ-02, FLEET-AGG-VIEWER, FLEET-HTTP-READ]', async () => {
    const guarded = await boot({ username: 'admin', password: 'right' });
    const refused = await fetch(`${guarded.url}/api/stats`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="fw Fleet"']);
    expect((await fetch(`${guarded.url}/api/stats`, { headers: basic('admin:wrong') })).status).toBe(401);
    expect((await fetch(`${guarded.url}/api/stats`, { headers: basic('admin:right') })).status).toBe(200);
    const half = await boot({ username: 'admin' });
    expect((await fetch(`${half.url}/api/stats`)).status).toBe(200);
  });

  test('the token for writing does not open reading', async () => {
    const { url } = await boot({ username: 'admin', password: 'right', ingestToken: 'write me' });
    expect((await fetch(`${url}/api/stats`, { headers: { 'x-fleet-token': 'write me' } })).status).toBe(401);
    expect((await post(`${url}/api/spans`, [], basic('admin:right'))).status).toBe(401);
  });

  test('answers lists as arrays, also empty ones', async () => {
    const { url } = await boot({ contractValidation: false });
    for (const path of ['services', 'traces', 'incidents', 'violations', 'catalog']) {
      expect([path, await (await fetch(`${url}/api/${path}`)).json()]).toEqual([path, []]);
    }
    expect(await (await fetch(`${url}/api/topology`)).json()).toEqual({ nodes: [], edges: [], window_ms: 300_000 });
  });

  test('shows single-service traces only when asked for, and pages with a cursor', async () => {
    const { url } = await boot();
    for (let n = 1; n <= 3; n++) await post(`${url}/api/spans`, [span({ trace: n, id: n })]);
    expect(await (await fetch(`${url}/api/traces`)).json()).toEqual([]);
    expect(await (await fetch(`${url}/api/traces?min_services=1`)).json()).toHaveLength(3);
    const first = (await (await fetch(`${url}/api/traces?min_services=1&page_size=2`)).json()) as Record<
      string,
      unknown
    >;
    expect(first).toMatchObject({ has_more: true, traces: [{}, {}], next_cursor: expect.any(String) });
    const query = `min_services=1&page_size=2&cursor=${String(first['next_cursor'])}`;
    expect(await (await fetch(`${url}/api/traces?${query}`)).json()).toMatchObject({ has_more: false, traces: [{}] });
  });

  test('answers a malformed id 400, an unknown trace 404, an unknown path 404', async () => {
    const { url } = await boot();
    const status = async (path: string) => (await fetch(`${url}/api/${path}`)).status;
    expect(await status(`traces/${spanId(1)}`)).toBe(400);
    expect(await status(`traces/${traceId(1)}`)).toBe(404);
    expect(await status('nonsense')).toBe(404);
  });

  test('explains a failing trace with its incidents', async () => {
    const { url } = await boot();
    await post(`${url}/api/spans`, [span({ id: 1, service: 'a', status: 500, error: 'HTTP 500' })]);
    expect(await (await fetch(`${url}/api/traces/${traceId(1)}/explain`)).json()).toMatchObject({
      root_cause_span_id: spanId(1),
      root_cause_reason: 'It is the only failure of the trace: a at GET / called nothing that was recorded.',
      root_cause_confidence: 'certain',
      root_cause_evidence: ['a at GET / called nothing that was recorded'],
      incidents: [],
      violations: [],
    });
  });

  test('says everything that it caps, holds and loses, in the API and in its probe', async () => {
    const { app, url } = await boot({ maxSpansPerTrace: 2 });
    await post(`${url}/api/spans`, [span({ id: 1 }), span({ id: 2 }), span({ id: 3 })]);
    expect(await (await fetch(`${url}/api/stats`)).json()).toMatchObject({
      spans: 2, max_spans: 100_000, max_spans_per_trace: 2, spans_dropped: 1, max_traces: 2000, max_edges: 2000,
      contracts: { max_violations: 1000, unchecked: 0 },
    }); // prettier-ignore
    const report = app.services.get(DiagnosticsRegistry).get('fleet-aggregator');
    expect(report).toMatchObject({ status: 'degraded', detail: { spans_dropped: 1 } });
  });

  test('counts one and many in words that fit', async () => {
    const { app, url } = await boot();
    const summary = () => app.services.get(DiagnosticsRegistry).get('fleet-aggregator')?.summary;
    expect(summary()).toBe('0 traces of 0 services, 0 of at most 100000 spans.');
    await post(`${url}/api/spans`, [span({ id: 1 })]);
    await post(`${url}/api/heartbeat`, { service: 'shop', instance_id: 'a', rps: 0, error_rate: 0 });
    expect(summary()).toBe('1 trace of 1 service, 1 of at most 100000 spans.');
    await post(`${url}/api/spans`, [span({ id: 2, trace: 2 })]);
    await post(`${url}/api/heartbeat`, { service: 'stock', instance_id: 'b', rps: 0, error_rate: 0 });
    expect(summary()).toBe('2 traces of 2 services, 2 of at most 100000 spans.');
  });
});

describe('an aggregator', () => {
  const status = async (url: string) => (await fetch(url)).status;
  const opens = (url: string) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(url.replace('http', 'ws'));
      socket.on('open', () => (socket.terminate(), resolve(true))).on('error', () => resolve(false));
    });

  test('has its API and its WebSocket under basePath, which is /fleet [FLEET-AGG-BASE-PATH]', async () => {
    const origin = async (options: AggregatorConfig) => (await boot(options)).url.replace(/\/fleet$/, '');
    const [usual, other] = [await origin({}), await origin({ basePath: '/ops/fleet' })];
    expect([await status(`${usual}/fleet/api/stats`), await opens(`${usual}/fleet/ws`)]).toEqual([200, true]);
    expect([await status(`${other}/ops/fleet/api/stats`), await opens(`${other}/ops/fleet/ws`)]).toEqual([200, true]);
    expect([await status(`${other}/fleet/api/stats`), await opens(`${other}/fleet/ws`)]).toEqual([404, false]);
  });

  test('knows nothing of another one, nor of what was before its restart [LIMIT-FLEET-SCALE-01, LIMIT-FLEET-SCALE-02, FLEET-STATE-TRACE-RESTART]', async () => {
    const [one, two] = [await boot(), await boot()];
    await post(`${one.url}/api/spans`, [span({ id: 1 })]);
    expect(await status(`${one.url}/api/traces/${traceId(1)}`)).toBe(200);
    expect(await status(`${two.url}/api/traces/${traceId(1)}`)).toBe(404);
    await one.app.stop();
    apps.splice(apps.indexOf(one.app), 1);
    const again = await boot();
    expect(await (await fetch(`${again.url}/api/traces?min_services=1`)).json()).toEqual([]);
    expect(await (await fetch(`${again.url}/api/stats`)).json()).toMatchObject({
      traces: 0,
      spans: 0,
      spans_accepted: 0,
    });
  });

  test('takes no standard telemetry protocol [LIMIT-FLEET-SCALE-03]', async () => {
    const { url } = await boot();
    for (const path of ['/v1/traces', '/api/v1/traces']) expect((await post(url + path, {})).status).toBe(404);
  });
});

describe('export', () => {
  test('one trace or the whole window goes into a file that another aggregator takes in', async () => {
    const [one, other] = [await boot(), await boot()];
    await post(`${one.url}/api/spans`, [
      span({ trace: 1, id: 1, tags: { order: '7' }, header_names: ['accept'], request_payload: { a: [1] } }),
      span({ trace: 1, id: 2, parent: 1 }),
      span({ trace: 2, id: 3 }),
    ]);
    const file = await (await fetch(`${one.url}/api/export`)).text();
    expect((await post(`${other.url}/api/import`, file)).status).toBe(202);
    for (const id of [traceId(1), traceId(2)]) {
      const [from, to] = await Promise.all(
        [one, other].map(async ({ url }) => (await fetch(`${url}/api/traces/${id}`)).json()),
      );
      expect({ ...(to as object), first_seen_ns: 0 }).toEqual({ ...(from as object), first_seen_ns: 0 });
    }
    const single = (await (await fetch(`${one.url}/api/traces/${traceId(1)}/export`)).json()) as { spans: unknown[] };
    expect(single.spans).toHaveLength(2);
    const refused = await post(`${other.url}/api/import`, { spans: [] });
    expect([refused.status, await refused.json()]).toEqual([400, { error: expect.stringMatching(/fw-fleet-export/) }]);
  });
});

describe('the WebSocket', () => {
  async function connect(
    url: string,
    auth: unknown,
  ): Promise<{ socket: WebSocket; next(): Promise<Record<string, unknown>> }> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
    const waiting: ((message: Record<string, unknown>) => void)[] = [];
    const messages: Record<string, unknown>[] = [];
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      const taker = waiting.shift();
      if (taker) taker(message);
      else messages.push(message);
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send(JSON.stringify(auth));
    const next = () =>
      new Promise<Record<string, unknown>>((resolve) => {
        const message = messages.shift();
        if (message) resolve(message);
        else waiting.push(resolve);
      });
    return { socket, next };
  }

  test('keeps little of what one sends before it says who it is', async () => {
    const { url } = await boot({ ingestToken: 't', maxBodyBytes: 1024 * 1024 });
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve).once('error', () => undefined));
    // One message in parts, which would be kept until it is as large as a batch may be (close code 1009).
    for (let sent = 0; sent < 64; sent++) socket.send('x'.repeat(64 * 1024), { fin: false });
    expect(await closed).not.toBe(1009);
    type Stats = { readonly socket: { readonly clients: number; readonly clients_refused: number } };
    const stats = async () => ((await (await fetch(`${url}/api/stats`)).json()) as Stats).socket;
    await until(async () => (await stats()).clients === 0, 'end of the connection');
    expect(await stats()).toMatchObject({ clients_refused: 1 });
  });

  test('refuses more than it may have at once, whatever those send then', async () => {
    const { app, url } = await boot({ ingestToken: 't' });
    const sockets = Array.from({ length: 200 }, () => new WebSocket(`${url.replace('http', 'ws')}/ws`));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))));
    const late = connectTcp(app.services.get(HttpServer).port, '127.0.0.1');
    const lines = ['GET /fleet/ws HTTP/1.1', 'Host: 127.0.0.1', 'Connection: Upgrade', 'Upgrade: websocket'];
    const opening = [...lines, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', '\r\n'];
    // A frame without a mask (RFC 6455, section 5.1).
    late.write(Buffer.concat([Buffer.from(opening.join('\r\n')), Buffer.from([0x81, 0x01, 0x61])]));
    const closed = new Promise((resolve) => late.once('close', resolve));
    late.on('error', () => {}).resume();
    await until(() => app.log.messages('debug').includes('a fleet socket failed'), 'error');
    late.destroy();
    await closed;
    for (const socket of sockets) socket.terminate();
  });

  test('does not keep answers for one that asks and never reads', async () => {
    const { url } = await boot({ ingestToken: 't' });
    const { socket, next } = await connect(url, { type: 'auth', role: 'ingest', token: 't' });
    expect(await next()).toEqual({ type: 'auth_ok' });
    socket.pause();
    // An answer repeats the id of its message. The kernels hold a few megabytes between the two sockets.
    const message = JSON.stringify({ type: 'publish', topic: 'none', id: 'x'.repeat(1024 * 1024) });
    const closed = new Promise((resolve) => socket.once('close', resolve).once('error', () => undefined));
    for (let sent = 0; sent < 32; sent++) socket.send(message);
    type Stats = { readonly socket: { readonly clients: number; readonly clients_refused: number } };
    const ours = async () => ((await (await fetch(`${url}/api/stats`)).json()) as Stats).socket;
    await until(async () => (await ours()).clients === 0, 'end of the connection');
    expect(await ours()).toMatchObject({ clients_refused: 1 });
    socket.resume();
    await closed;
  });

  test('lets services publish and viewers watch, each with its own credential [EVENT-WEBSOCKET-01]', async () => {
    const { url } = await boot({ username: 'u', password: 'p', ingestToken: 't' });
    const viewer = await connect(url, { type: 'auth', username: 'u', password: 'p' });
    expect(await viewer.next()).toEqual({ type: 'auth_ok' });
    expect(await viewer.next()).toMatchObject({ type: 'topology_snapshot', data: { nodes: [] } });
    viewer.socket.send(JSON.stringify({ type: 'subscribe', topics: ['trace_event'] }));
    const service = await connect(url, { type: 'auth', role: 'ingest', token: 't' });
    expect(await service.next()).toEqual({ type: 'auth_ok' });
    service.socket.send(JSON.stringify({ type: 'publish', id: 1, topic: 'fleet.spans', payload: [span({ id: 1 })] }));
    expect(await service.next()).toEqual({ type: 'ack', id: 1 });
    expect(await viewer.next()).toMatchObject({
      type: 'trace_event',
      data: { trace_id: traceId(1), service: 'service-1' },
    });
    service.socket.send(JSON.stringify({ type: 'publish', id: 2, topic: 'fleet.spans', payload: [{}] }));
    expect(await service.next()).toMatchObject({
      type: 'error',
      id: 2,
      error: expect.stringMatching(/invalid span identity/),
    });
    viewer.socket.send(JSON.stringify({ type: 'publish', topic: 'fleet.spans', payload: [] }));
    expect(await viewer.next()).toMatchObject({ type: 'error', error: 'ingest role required' });
  });

  test.each([
    ['a wrong token', { type: 'auth', role: 'ingest', token: 'wrong' }],
    ['a wrong password', { type: 'auth', username: 'u', password: 'wrong' }],
    ['the viewer credential for writing', { type: 'auth', role: 'ingest', username: 'u', password: 'p' }],
    ['no credential', { type: 'subscribe' }],
  ])('closes on %s', async (_, auth) => {
    const { url } = await boot({ username: 'u', password: 'p', ingestToken: 't' });
    const { socket } = await connect(url, auth);
    const code = await new Promise((resolve) => socket.once('close', resolve));
    expect(code).toBe(1008);
  });
});
