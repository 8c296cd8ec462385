import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { DiagnosticsRegistry, HttpServer, plugin } from '../../../kernel/index.js';
import type { SpanNode, SpanRecord, Trace } from '../../../kernel/contracts/fleet-wire.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest, servePlain } from '../../../kernel/testing/http-app.js';
import { until } from '../../../kernel/testing/until.js';
import http from '../../http/index.js';
import aggregatorPlugin, { FleetAggregator } from '../aggregator/index.js';
import tracerPlugin, { tag } from '../tracer/index.js';
import { readTraceProtobuf } from './codec/read-protobuf.js';
import otlpPlugin from './index.js';
import { traceRequest } from './otlp-span.js';

const apps: BootedTestApp[] = [];

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
});

type Options = { readonly otlp?: object; readonly aggregator?: object; readonly tracer?: object };

async function boot({ otlp = {}, aggregator = {}, tracer = {} }: Options): Promise<BootedTestApp & { url: string }> {
  const app = await bootTestApp({
    name: 'gateway',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), aggregator),
      plugin(() => Promise.resolve(tracerPlugin), { enabled: true, flushInterval: 20, ...tracer }),
      plugin(() => Promise.resolve(otlpPlugin), otlp),
      routesUnderTest((router) => {
        router.get('/checkout/:id', (ctx) => (tag(ctx, 'order', '7'), 'done'));
        router.get('/broken', (ctx) => ctx.throw(503));
      }),
    ],
  });
  apps.push(app);
  return Object.assign(app, { url: app.services.get(HttpServer).url });
}

const HUSH = 'hush';

/** What a shop instrumented by OpenTelemetry records of one request, with a secret wherever the conventions have room for one. */
function recordOrder(tracer: Tracer): { readonly traceId: string } {
  const at = (ms: number) => 1_750_000_000_000 + ms;
  const request = tracer.startSpan('POST /orders/{id}', {
    kind: SpanKind.SERVER,
    startTime: at(0),
    attributes: {
      'http.request.method': 'POST', 'http.route': '/orders/{id}', 'url.path': `/orders/${HUSH}`, 'url.query': `key=${HUSH}`,
      'http.response.status_code': 500, 'user.email': HUSH, 'enduser.id': HUSH, 'client.address': HUSH, 'user_agent.original': HUSH,
      'http.request.header.authorization': [HUSH], 'app.tenant': 'blue', 'app.api_key': HUSH, 'app.callback': `https://a:${HUSH}@x.example/y?z=${HUSH}`,
    },
  }); // prettier-ignore
  const within = trace.setSpan(context.active(), request);
  const attributes = {
    'db.system.name': 'postgresql', 'db.query.text': `UPDATE orders SET note = '${HUSH}' WHERE id = 7`, 'db.query.parameter.0': HUSH,
    'server.address': 'db.internal', 'server.port': 5432, 'error.type': '23505',
  }; // prettier-ignore
  const query = tracer.startSpan('UPDATE orders', { kind: SpanKind.CLIENT, attributes, startTime: at(5) }, within);
  query.recordException(new Error(HUSH));
  query.setStatus({ code: SpanStatusCode.ERROR, message: HUSH });
  query.end(at(9));
  // Older conventions, and a client that was told 404: an error by the conventions, and none that anything failed for.
  const old = { 'http.method': 'GET', 'http.url': `https://u:${HUSH}@stock:81/items/${HUSH}42?q=${HUSH}`, 'net.peer.name': 'stock', 'net.peer.port': 81, 'http.status_code': 404 }; // prettier-ignore
  const call = tracer.startSpan('GET', { kind: SpanKind.CLIENT, attributes: old, startTime: at(1) }, within);
  call.setStatus({ code: SpanStatusCode.ERROR });
  call.end(at(4));
  request.setStatus({ code: SpanStatusCode.ERROR, message: HUSH });
  request.end(at(10));
  return request.spanContext();
}

const resource = (name: string) => ({
  attributes: { 'service.name': name },
  merge: () => resource(name),
  getRawAttributes: () => [['service.name', name]] as [string, string][],
});

async function exported(exporter: JsonExporter | ProtobufExporter, work: (tracer: Tracer) => { traceId: string }) {
  const provider = new NodeTracerProvider({
    resource: resource('shop') as never,
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const { traceId } = work(provider.getTracer('test'));
  await provider.forceFlush();
  await provider.shutdown();
  return traceId;
}

async function assembled(app: BootedTestApp, traceId: string, spans: number): Promise<Trace> {
  const aggregator = app.services.get(FleetAggregator);
  await until(() => aggregator.trace(traceId)?.span_count === spans, `a trace of ${spans} spans`);
  return aggregator.trace(traceId) as Trace;
}

describe('spans of an OpenTelemetry SDK', () => {
  test.each([
    ['JSON', JsonExporter, undefined],
    ['protobuf', ProtobufExporter, undefined],
    ['protobuf, compressed', ProtobufExporter, 'gzip'],
  ])('arrive as %s: their names are ours, and no value of theirs', async (_, Exporter, compression) => {
    const app = await boot({ aggregator: { ingestToken: 'write me' } });
    const exporter = new Exporter({
      url: `${app.url}/fleet/v1/traces`,
      headers: { 'x-fleet-token': 'write me' },
      compression: compression as never,
    });
    const found = await assembled(app, await exported(exporter, recordOrder), 3);
    const [request] = found.roots as readonly [SpanNode];
    expect(request).toMatchObject({
      service: 'shop', method: 'POST', route: '/orders/{id}', status: 500, error: 'HTTP 500',
      attributes: { 'app.tenant': 'blue', 'app.callback': 'https://x.example/y' },
    }); // prettier-ignore
    expect(request.children?.map(({ kind, method, route, status, error }) => [kind, method, route, status, error])).toEqual([
      ['client', 'GET', '/items/*', 404, undefined],
      ['query', 'UPDATE', 'UPDATE orders SET note = ? WHERE id = ?', 0, '23505'],
    ]); // prettier-ignore
    expect(request.children?.[0]?.attributes).toMatchObject({ 'server.address': 'stock', 'server.port': 81 });
    expect(JSON.stringify(found)).not.toContain(HUSH);
    expect(found.root_cause_span_id).toBe(request.children?.[1]?.span_id);
    expect(
      app.services
        .get(FleetAggregator)
        .topology()
        .nodes.map(({ service }) => service),
    ).toContain('shop');
  });

  test.each([
    ['JSON', JsonExporter],
    ['protobuf', ProtobufExporter],
  ])('tell why they failed behind many other events, as %s', async (_, Exporter) => {
    const app = await boot({});
    const traceId = await exported(new Exporter({ url: `${app.url}/fleet/v1/traces` }), (tracer) => {
      const span = tracer.startSpan('stream', { kind: SpanKind.CLIENT });
      for (let message = 0; message < 100; message++) span.addEvent('message', { 'rpc.message.id': message });
      span.recordException(new RangeError(HUSH));
      span.addEvent('closed');
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      return span.spanContext();
    });
    const found = await assembled(app, traceId, 1);
    expect(found.roots[0]?.error).toBe('RangeError');
  });

  test('need the write credential, and are told so in their own words', async () => {
    const app = await boot({ aggregator: { ingestToken: 'write me' } });
    const headers = { 'content-type': 'application/x-protobuf' };
    const refused = await fetch(`${app.url}/fleet/v1/traces`, { method: 'POST', body: '', headers });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, 'application/x-protobuf']);
    expect(Buffer.from(await refused.arrayBuffer()).toString()).toBe('\x12\x0cunauthorized');
  });

  test('are not taken where the plugin is not, or is told not to', async () => {
    const app = await boot({ otlp: { receive: false } });
    const answer = await fetch(`${app.url}/fleet/v1/traces`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
  });
});

const ID = { traceId: '0AF7651916CD43DD8448EB211C80319C', spanId: 'b7ad6b7169203331' };
const request = (...spans: object[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const json = { 'content-type': 'application/json' };
const protobuf = { 'content-type': 'application/x-protobuf' };

describe('what is no OTLP', () => {
  test.each([
    ['another media type', 'x', { 'content-type': 'text/plain' }, 415, /expected application\/x-protobuf/],
    ['no JSON', '{', json, 400, /as JSON/],
    ['a list', '[]', json, 400, /resourceSpans is no list/],
    ['no protobuf', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0x7f]), protobuf, 400, /as protobuf/],
    [
      'a length that is not kept to',
      Buffer.from([0x0a, 0x02, 0x12, 0x05, 0, 0, 0, 0, 0]),
      protobuf,
      400,
      /as protobuf/,
    ],
    ['groups without end', Buffer.alloc(3_000, 0x0b), protobuf, 400, /as protobuf/],
    ['empty groups without number', Buffer.from('0a00'.repeat(1_000), 'hex'), protobuf, 413, /more than 10 spans/],
    ['more spans than a batch may have', request(...Array(11).fill(ID)), json, 413, /batch too large: 11 spans/],
    ['more bytes than a body may have', ' '.repeat(5_000), json, 413, /payload too large/],
    ['gzip that is none', 'x', { ...json, 'content-encoding': 'gzip' }, 400, /invalid gzip/],
  ])('is refused: %s', async (_, body, headers, status, message) => {
    const app = await boot({ aggregator: { maxBodyBytes: 4_096, maxBatchSpans: 10 } });
    const answer = await fetch(`${app.url}/fleet/v1/traces`, { method: 'POST', body, headers: headers as never });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(message)]);
    expect(app.services.get(FleetAggregator).stats().spans).toBe(0);
  });

  test('is not a batch as large as a collector makes them by default', async () => {
    const app = await boot({});
    const spans = Array.from({ length: 8_192 }, (_, at) => ({
      ...ID,
      spanId: (at + 1).toString(16).padStart(16, '0'),
    }));
    const answer = await fetch(`${app.url}/fleet/v1/traces`, {
      method: 'POST',
      body: request(...spans),
      headers: json,
    });
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(app.services.get(FleetAggregator).stats().spans_accepted).toBe(8_192);
  });

  test('costs only the spans that are malformed', async () => {
    const app = await boot({});
    const body = request(ID, { traceId: 'nonsense', spanId: ID.spanId }, { ...ID, spanId: 5 });
    const answer = await fetch(`${app.url}/fleet/v1/traces`, { method: 'POST', body: gzipSync(body), headers: { ...json, 'content-encoding': 'gzip' } }); // prettier-ignore
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { partialSuccess: { rejectedSpans: '2', errorMessage: expect.stringMatching(/malformed/) } },
    ]);
    const stats = app.services.get(FleetAggregator).stats();
    expect([stats.spans, stats.spans_rejected]).toEqual([1, 2]);
  });
});

/** A receiver of OTLP that answers what it is told to, and keeps what came. */
async function receiver(answers: { status: number; headers?: Record<string, string>; body?: string }[]) {
  const got: {
    headers: Record<string, string | string[] | undefined>;
    spans: Record<string, unknown>[];
    at: number;
  }[] = [];
  const server = await servePlain({
    callback: () => (req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        const sent = Buffer.concat(chunks);
        const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        const isJson = req.headers['content-type'] === 'application/json';
        const read = isJson ? (JSON.parse(body.toString()) as object) : readTraceProtobuf(body, () => undefined);
        const [resourceSpans] = (read as { resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[] })
          .resourceSpans;
        got.push({ headers: req.headers, spans: resourceSpans?.scopeSpans[0]?.spans ?? [], at: Date.now() });
        const { status, headers = {}, body: text = '' } = answers.shift() ?? { status: 200 };
        res.writeHead(status, headers).end(text);
      });
    },
  });
  return { ...server, got };
}

/** Attributes of a span as it was sent. */
function attributesOf(span: Record<string, unknown> | undefined): Record<string, unknown> {
  const list = (span?.['attributes'] ?? []) as readonly { key: string; value: Record<string, unknown> }[];
  return Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Spans as a receiver of OTLP gets them. */
const sent = (...spans: Partial<SpanRecord>[]) =>
  traceRequest(
    spans.map((span) => ({
      trace_id: ID.traceId.toLowerCase(), span_id: ID.spanId, service: 'shop', method: 'GET', route: '/orders/:id', status: 200,
      start_ns: '1750000000000000000', duration_ms: 1, ...span,
    })), {},
  ).resourceSpans[0]?.scopeSpans[0]?.spans.map((span) => ({ ...span, attributes: attributesOf(span as never) })); // prettier-ignore

describe('our spans in the words of the conventions', () => {
  test('say where the path of a request stands for a route, and what is not usual of its connection', () => {
    const attributes = { 'url.path': '/wp-admin/*', 'url.scheme': 'https', 'network.protocol.version': '1.0' };
    const [span] = sent({ route: '/wp-admin/*', status: 404, attributes }) ?? [];
    expect(span).toMatchObject({ name: 'GET /wp-admin/*', status: {}, attributes });
    expect(span?.attributes).not.toHaveProperty('http.route');
  });

  test('have the URL of a call, and an error where it was told 404', () => {
    const attributes = { 'http.request.method': 'GET', 'url.scheme': 'http', 'server.address': '::1', 'server.port': 3002, 'error.type': '404' }; // prettier-ignore
    const call = { kind: 'client', route: '/orders/*', status: 404, attributes } as const;
    const [odd, usual] = sent(call, { ...call, attributes: { ...attributes, 'server.address': 'orders', 'server.port': 80 } }) ?? []; // prettier-ignore
    expect(odd).toMatchObject({ name: 'GET', status: { code: 2 }, attributes: { 'url.full': 'http://[::1]:3002/orders/*' } }); // prettier-ignore
    expect(usual).toMatchObject({ attributes: { 'url.full': 'http://orders/orders/*', 'url.template': '/orders/*' } });
  });

  test('are no HTTP where a service of others did none, and keep what these say', () => {
    const rpc = { method: 'RPC', route: 'shop.Orders/Get', status: 0, attributes: { 'rpc.method': 'Get' } };
    for (const kind of ['server', 'client'] as const)
      expect(sent({ ...rpc, kind })?.[0]).toMatchObject({ name: 'shop.Orders/Get', attributes: rpc.attributes });
    expect(Object.keys(sent(rpc)?.[0]?.attributes ?? {})).toEqual(['rpc.method']);
    const others = { 'http.request.method': 'GET', 'url.scheme': 'https', 'http.route': '/orders/{id}' };
    expect(sent({ route: '/orders/{id}', attributes: others })?.[0]?.attributes).toEqual({
      ...others,
      'url.path': '/orders/*',
      'http.response.status_code': '200',
    });
  });

  test('have the name of a statement that is no SQL, and of a message without a destination', () => {
    const redis = {
      kind: 'query',
      method: 'GET',
      route: 'redis-GET',
      attributes: { 'db.system.name': 'redis' },
    } as const;
    expect(sent(redis)?.[0]).toMatchObject({ name: 'redis-GET' });
    expect(sent(redis)?.[0]?.attributes).not.toHaveProperty('db.query.text');
    expect(sent({ ...redis, route: 'SELECT ?', method: 'SELECT', attributes: {} })?.[0]).toMatchObject({
      name: 'SELECT',
      attributes: { 'db.query.text': 'SELECT ?' },
    });
    const message = { kind: 'consumer', method: 'PROCESS', route: 'handler' } as const;
    expect(sent(message, { ...message, attributes: { 'messaging.destination.name': 'handler' } })?.map(({ name }) => name)).toEqual(['handler', 'process handler']); // prettier-ignore
  });

  test('call a method that nobody knows another one, beside its name', () => {
    expect(sent({ method: 'PURGE' })?.[0]).toMatchObject({
      name: 'HTTP /orders/:id',
      attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': 'PURGE' },
    });
  });
});

const report = (app: BootedTestApp) =>
  app.services.get(DiagnosticsRegistry).get('fleet-otlp')?.detail as Record<string, unknown>;

describe('our spans', () => {
  test.each(['json', 'protobuf'])('are sent as %s, with the headers of the configuration', async (encoding) => {
    await using to = await receiver([]);
    const app = await boot({
      otlp: { url: to.url, encoding, headers: { 'x-honeycomb-team': 'key' }, gzip: encoding === 'json' },
    });
    await Promise.all([fetch(`${app.url}/checkout/5`), fetch(`${app.url}/broken`)]);
    await until(() => to.got.flatMap(({ spans }) => spans).length === 2, 'both spans');
    const [ok, broken] = to.got
      .flatMap(({ spans }) => spans)
      .sort((a) => (String(a['name']).includes('checkout') ? -1 : 1));
    expect(to.got[0]?.headers).toMatchObject({ 'x-honeycomb-team': 'key' });
    expect(ok).toMatchObject({ name: 'GET /checkout/:id', kind: 2, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(ok?.['attributes']).toEqual(expect.arrayContaining([
      { key: 'http.route', value: { stringValue: '/checkout/:id' } },
      { key: 'http.response.status_code', value: { intValue: '200' } },
      { key: 'fw.tag.order', value: { stringValue: '7' } },
    ])); // prettier-ignore
    expect(broken).toMatchObject({ status: { code: 2 } });
    // What the conventions require of a request, and nothing that its client has sent.
    expect(attributesOf(ok)).toEqual({
      'http.request.method': 'GET',
      'http.route': '/checkout/:id',
      'url.path': '/checkout/*',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'http.response.status_code': '200',
      'fw.tag.order': '7',
    });
    const [start, end] = [ok?.['startTimeUnixNano'], ok?.['endTimeUnixNano']].map((text) => BigInt(text as string));
    expect(Math.abs(Number((start as bigint) / 1_000_000n) - Date.now())).toBeLessThan(60_000);
    expect((end as bigint) >= (start as bigint)).toBe(true);
    // The aggregator has them as well: one way does not wait for the other.
    await until(() => app.services.get(FleetAggregator).stats().spans === 2, 'both spans at the aggregator');
  });

  test('are tried again when the receiver says when, and what it refused is counted', async () => {
    const partialSuccess = { rejectedSpans: '1', errorMessage: 'too old' };
    await using to = await receiver([
      { status: 429, headers: { 'retry-after': '2' } },
      { status: 200, headers: json, body: JSON.stringify({ partialSuccess }) },
    ]);
    const app = await boot({ otlp: { url: `${to.url}/v1/traces`, encoding: 'json' } });
    await fetch(`${app.url}/checkout/5`);
    await until(() => to.got.length === 2, 'a second try');
    const [first, second] = to.got.map(({ at }) => at) as [number, number];
    expect(second - first).toBeGreaterThanOrEqual(1_900);
    await until(() => report(app)['spans_rejected'] === 1, 'the answer');
    expect(report(app)).toMatchObject({
      spans_exported: 0,
      spans_dropped: 1,
      rejected_because: 'too old',
      export_failures: 1,
    });
  });

  test.each([401, 404, 302])('are dropped at once on %i, and the key goes nowhere else', async (status) => {
    await using elsewhere = await receiver([]);
    await using to = await receiver([{ status, headers: { location: elsewhere.url } }]);
    const app = await boot({ otlp: { url: to.url, encoding: 'json', headers: { 'api-key': 'k' } } });
    await fetch(`${app.url}/checkout/5`);
    await until(() => report(app)['spans_dropped'] === 1, 'the loss');
    expect([to.got.length, elsewhere.got.length]).toEqual([1, 0]);
    expect(JSON.stringify(report(app))).not.toContain('"k"');
  });

  test('of all services are forwarded by their aggregator, and do not go in a circle', async () => {
    await using to = await receiver([]);
    const app = await boot({ otlp: { url: to.url, encoding: 'json', forward: true, flushInterval: 10 } });
    const post = () =>
      fetch(`${app.url}/fleet/v1/traces`, { method: 'POST', body: request({ ...ID, name: 'work' }), headers: json });
    await post();
    await post();
    await until(() => to.got.length > 0, 'the span');
    expect(to.got.flatMap(({ spans }) => spans)).toEqual([
      expect.objectContaining({ name: 'work', spanId: ID.spanId }),
    ]);
  });

  test.each([
    [{ url: 'ftp://x' }, /scheme is ftp/],
    [{ url: 'http://u:p@x' }, /user name or a password/],
    [{ url: 'x' }, /not a URL/],
  ])('are not sent to %j', async (otlp, reason) => {
    await expect(boot({ otlp })).rejects.toThrow(reason);
  });
});
