import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import Koa from 'koa';
import { Agent, request as undiciRequest } from 'undici';
import type { HeaderCarrier, SpanBatch, SpanTransport, TraceContext } from '../../../kernel/contracts/fleet.js';
import { until } from '../../../kernel/testing/until.js';
import { servePlain } from '../../../kernel/testing/http-app.js';
import type { HeartbeatRecord, SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { HttpTransport, MAX_TRIES } from '../transports/index.js';
import {
  inject, middleware, newTracer, propagateFromHTTP, spanRecorder, tag, tracedFetch, traceIDOf, traceInterceptor, TRACER_DEFAULTS, type Tracer, type TracerConfig,
} from './index.js'; // prettier-ignore
import { tagsOutsideTraces } from './tag.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

class FakeTransport implements SpanTransport {
  readonly name = 'fake';
  readonly batches: SpanRecord[][] = [];
  readonly heartbeats: HeartbeatRecord[] = [];
  fail: unknown;
  answer: Promise<void> = Promise.resolve();
  closed = 0;

  close(): Promise<void> {
    this.closed++;
    return Promise.resolve();
  }

  async exportSpans(batch: SpanBatch): Promise<void> {
    await this.answer;
    if (this.fail) throw this.fail;
    this.batches.push(JSON.parse(batch.text()) as SpanRecord[]);
  }

  async exportHeartbeat(heartbeat: HeartbeatRecord): Promise<void> {
    await this.answer;
    this.heartbeats.push(heartbeat);
  }

  get spans(): SpanRecord[] {
    return this.batches.flat();
  }
}

const tracers: Tracer[] = [];

afterEach(async () => {
  jest.useRealTimers();
  await Promise.all(tracers.splice(0).map((tracer) => tracer.close({ timeout: 0 })));
});

function setup(config: Partial<TracerConfig> = {}) {
  const transport = new FakeTransport();
  const tracer = newTracer({ serviceName: 'orders', enabled: true, transport, ...config });
  tracers.push(tracer);
  return { tracer, transport };
}

type Handler = (context: Koa.Context) => unknown;

async function serve(tracer: Tracer | undefined, handler: Handler, skip?: (context: object) => boolean) {
  const app = new Koa();
  app.silent = true;
  app.use(middleware(tracer, { skip }) as Koa.Middleware);
  app.use(handler as Koa.Middleware);
  return servePlain(app);
}

/** Serves one request and returns the spans that came of it. */
async function traced(handler: Handler, headers: Record<string, string> = {}, config: Partial<TracerConfig> = {}) {
  const { tracer, transport } = setup(config);
  await using server = await serve(tracer, handler);
  const answer = await fetch(`${server.url}/path?query=secret`, { headers });
  await answer.arrayBuffer();
  await tracer.close();
  return { spans: transport.spans, counters: tracer.counters(), answer };
}

describe('a tracer', () => {
  test('gives a span without a request the share that is sampled, and none to a failure, of which all are recorded', async () => {
    const { tracer, transport } = setup({ sampleRate: 0.5 });
    for (let at = 0; at < 100; at++) {
      tracer.startSpan('orders.paid', { kind: 'consumer' }).end();
      tracer.startSpan('orders.created', { kind: 'consumer' }).end(new Error('hush'));
    }
    await tracer.close();
    const probabilities = (route: string) =>
      transport.spans.filter((span) => span.route === route).map(({ probability }) => probability);
    expect(new Set(probabilities('orders.paid'))).toEqual(new Set([0.5]));
    expect(probabilities('orders.created')).toEqual(Array.from({ length: 100 }, () => undefined));
  });

  test('has the defaults of the specification [FLEET-TRACER-FLUSH-INTERVAL, FLEET-TRACER-MAX-BATCH-SIZE, FLEET-TRACER-MAX-BUFFER-SPANS, FLEET-TRACER-EXPORT-TIMEOUT, FLEET-OP-NEW, LIMIT-FLEET-TRACER]', () => {
    expect(newTracer({ serviceName: 'a' }).config).toMatchObject({
      aggregatorURL: '', flushInterval: 1_000, maxBatchSize: 200, maxBufferSpans: 4096, sampleRate: 1, exportTimeout: 2_000,
      ingestToken: '', enabled: false, heartbeatInterval: 5_000,
    }); // prettier-ignore
    expect(TRACER_DEFAULTS.flushInterval).toBe('1s');
  });

  test.each([
    [{ serviceName: ' ', enabled: true }, /has no serviceName/],
    [{ serviceName: 'a', sampleRate: 2 }, /sampleRate is 2; expected a number from 0 to 1/],
    [{ serviceName: 'a', sampleRate: NaN }, /sampleRate is NaN/],
    [{ serviceName: 'a', maxBatchSize: 0 }, /maxBatchSize is 0/],
    [{ serviceName: 'a', flushInterval: 'soon' }, /soon/],
    [{ serviceName: 'a', enabled: true, aggregatorURL: 'ftp://x' }, /scheme is ftp/],
  ])('refuses %j [FLEET-TRACER-SERVICE-NAME]', (config, message) => {
    expect(() => newTracer(config as TracerConfig)).toThrow(message);
  });

  test('sends to two receivers, and closes the connections to both', async () => {
    const { tracer, transport } = setup();
    const second = new FakeTransport();
    const numbers = tracer.exportAlso(second);
    tracer.startSpan('job').end();
    await tracer.close();
    expect([transport, second].map(({ spans, closed }) => [spans.length, closed])).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(numbers()).toMatchObject({ spansExported: 1 });
  });

  test('that is disabled passes requests through and leaves nothing [FLEET-TRACER-ENABLED, FLEET-STATE-TRACER]', async () => {
    const { tracer, transport } = setup({ enabled: false });
    let traceId = 'unset';
    await using server = await serve(tracer, (context) => {
      traceId = traceIDOf(context);
      context.body = 'x';
    });
    expect((await fetch(server.url)).status).toBe(200);
    await tracer.close();
    expect([traceId, transport.spans, transport.heartbeats]).toEqual(['', [], []]);
  });

  test('without an aggregator still carries traces on, and exports nothing [FLEET-TRACER-AGGREGATOR-URL-02]', async () => {
    const tracer = newTracer({ serviceName: 'a', enabled: true });
    const headers: Record<string, string> = {};
    await using server = await serve(tracer, (context) => void propagateFromHTTP(context, headers));
    await fetch(server.url, { headers: { traceparent: `00-${TRACE}-${SPAN}-01` } });
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${TRACE}-`));
    expect(tracer.counters().spansRecorded).toBe(0);
  });

  test('exports and propagates over the transport that it is given, and over HTTP without one [FLEET-TRACER-TRANSPORT]', async () => {
    const plain = newTracer({ serviceName: 'a', enabled: true, aggregatorURL: 'http://127.0.0.1:1/fleet' });
    tracers.push(plain);
    expect(plain.transport).toBeInstanceOf(HttpTransport);

    const { tracer, transport } = setup({ aggregatorURL: 'http://127.0.0.1:1/fleet', clientSpans: false });
    const own = Object.assign(transport, {
      inject: ({ traceId }: TraceContext, _baggage: unknown, carrier: HeaderCarrier) =>
        carrier.set('my-trace', traceId),
    });
    const headers: Record<string, string> = {};
    await using server = await serve(tracer, (context) => {
      propagateFromHTTP(context, headers);
      context.body = 'x';
    });
    await fetch(server.url, { headers: { traceparent: `00-${TRACE}-${SPAN}-01` } });
    await tracer.close();
    expect(own.spans).toMatchObject([{ trace_id: TRACE }]);
    expect(headers).toEqual({ 'my-trace': TRACE, 'x-fw-service': 'orders' });
  });

  test('closes twice, and sends what is left [FLEET-OP-CLOSE]', async () => {
    const { tracer, transport } = setup({ flushInterval: '1h' });
    await using server = await serve(tracer, (context) => void (context.body = 'x'));
    await fetch(server.url);
    await Promise.all([tracer.close(), tracer.close()]);
    expect(transport.spans).toHaveLength(1);
  });
});

describe('the middleware', () => {
  test('continues the trace of the caller [FLEET-OP-MIDDLEWARE-01, FLEET-OP-MIDDLEWARE-03]', async () => {
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, 'x-fw-service': 'gateway', 'x-fw-baggage': 'order=7' };
    const { spans } = await traced((context) => void (context.body = 'x'), headers);
    expect(spans).toMatchObject([
      { trace_id: TRACE, parent_span_id: SPAN, service: 'orders', caller: 'gateway', route: '/path', method: 'GET', status: 200, tags: { order: '7' } },
    ]); // prettier-ignore
  });

  test.each(['nonsense', `ff-${TRACE}-${SPAN}-01`])(
    'begins a new trace for the malformed header %s and counts it [FLEET-RULE-TRACEPARENT-01, FLEET-RULE-TRACEPARENT-02, ERR-FLEET-TRACEPARENT]',
    async (traceparent) => {
      const { spans, counters, answer } = await traced((context) => void (context.body = 'x'), {
        traceparent,
        'x-fw-baggage': 'a=1',
      });
      expect(answer.status).toBe(200);
      expect(spans).toHaveLength(1);
      expect(spans[0]).not.toHaveProperty('parent_span_id');
      expect(spans[0]).not.toHaveProperty('tags');
      expect(spans[0]?.trace_id).not.toBe(TRACE);
      expect(counters.malformedHeaders).toBe(1);
    },
  );

  test('counts requests by caller, also those whose trace is not recorded', async () => {
    const { tracer, transport } = setup({ heartbeatInterval: 200 });
    await using server = await serve(tracer, (context) => void (context.body = 'x'));
    for (const name of ['b%C3%BCro', '', 'x'.repeat(129), undefined]) {
      const headers = { traceparent: `00-${TRACE}-${SPAN}-00`, ...(name !== undefined && { 'x-fw-service': name }) };
      await (await fetch(server.url, { headers })).arrayBuffer();
    }
    const requests = () =>
      transport.heartbeats.flatMap(({ durations = [] }) => durations.filter((_, at) => at % 2 === 1));
    await until(() => requests().reduce((sum, count) => sum + count, 0) === 4, 'heartbeats of four requests');
    expect(transport.spans).toEqual([]);
    expect(transport.heartbeats.flatMap(({ callers = [] }) => callers)).toEqual([
      { service: 'büro', durations: [expect.any(Number), 1], errors: 0 },
    ]);
  });

  test('does not count a header that is absent', async () => {
    expect((await traced(() => undefined)).counters.malformedHeaders).toBe(0);
  });

  test('records names of headers, never their values [FLEET-HEADERS-01, FLEET-HEADERS-02]', async () => {
    const { spans } = await traced((context) => void (context.body = 'x'), {
      authorization: 'Bearer hush',
      'x-a': 'hush',
    });
    expect(spans[0]?.header_names).toEqual(expect.arrayContaining(['authorization', 'host', 'x-a']));
    expect(JSON.stringify(spans)).not.toContain('hush');
    expect(JSON.stringify(spans)).not.toContain('secret');
  });

  test('keeps the decision of the caller, whatever its own rate [FLEET-OP-MIDDLEWARE-02, FLEET-RULE-SAMPLING-02]', async () => {
    const answer = (context: Koa.Context) => void (context.body = 'x');
    const unsampled = await traced(answer, { traceparent: `00-${TRACE}-${SPAN}-00` }, { sampleRate: 1 });
    expect(unsampled.spans).toEqual([]);
    const sampled = await traced(answer, { traceparent: `00-${TRACE}-${SPAN}-01` }, { sampleRate: 0 });
    expect(sampled.spans).toHaveLength(1);
  });

  test('always records failures: with tags, without bodies when the trace is not sampled [FLEET-RULE-SAMPLING-03]', async () => {
    const { spans } = await traced(
      (context) => {
        tag(context, 'order', '7');
        context.status = 503;
        context.body = { detail: 'x' };
      },
      {},
      { sampleRate: 0, capturePayloads: true },
    );
    expect(spans).toMatchObject([{ status: 503, error: 'HTTP 503', tags: { order: '7' } }]);
    expect(spans[0]).not.toHaveProperty('response_payload');
    const notFound = await traced((context) => void (context.status = 404), {}, { sampleRate: 0 });
    expect(notFound.spans).toEqual([]);
  });

  test('records what throws, without its message, and lets it through', async () => {
    const { spans, answer } = await traced(() => {
      throw new Error('personal data');
    });
    expect(answer.status).toBe(500);
    expect(spans).toMatchObject([{ status: 500, error: 'HTTP 500' }]);
    expect(JSON.stringify(spans)).not.toContain('personal');
    const refused = await traced((context) => context.throw(418, 'tea'));
    expect(refused.spans).toMatchObject([{ status: 418 }]);
  });

  test('leaves out what the predicate says', async () => {
    const { tracer, transport } = setup();
    await using server = await serve(
      tracer,
      (context) => void (context.body = 'x'),
      () => true,
    );
    await fetch(server.url);
    await tracer.close();
    expect(transport.spans).toEqual([]);
    expect(tracer.counters().requestsObserved).toBe(0);
  });

  test('captures JSON bodies, scrubbed', async () => {
    const { spans } = await traced(
      (context) => void (context.body = { id: 1, token: 't' }),
      {},
      { capturePayloads: true },
    );
    expect(spans[0]?.response_payload).toEqual({ id: 1, token: '••••••' });
  });

  test('captures JSON that is written as text, as that of a route with a declared output is, unless it is compressed', async () => {
    const captured = async (body: string | Buffer, headers: Readonly<Record<string, string>>) => {
      const answer = (context: Koa.Context) => {
        context.set(headers);
        context.body = body;
      };
      return (await traced(answer, {}, { capturePayloads: true })).spans[0]?.response_payload;
    };
    const json = { 'Content-Type': 'application/json; charset=utf-8' };
    const text = '{"id":1,"token":"t"}';
    for (const body of [text, Buffer.from(text)])
      expect(await captured(body, json)).toEqual({ id: 1, token: '••••••' });
    expect(await captured(gzipSync(text), { ...json, 'Content-Encoding': 'gzip' })).toBeUndefined();
    expect(await captured(text, { 'Content-Type': 'text/plain' })).toBeUndefined();
  });

  test('captures no body that a handler has set before it throws: what is sent is written later', async () => {
    const { spans } = await traced(
      (context) => {
        context.body = { id: 1 };
        context.throw(409);
      },
      {},
      { capturePayloads: true },
    );
    expect(spans).toMatchObject([{ status: 409 }]);
    expect(spans[0]).not.toHaveProperty('response_payload');
  });

  test.each<[string, (context: Koa.Context) => void, object, string | undefined]>([
    ['a page', (context) => void (context.body = '<p>x</p>'), {}, 'text/html'],
    ['a failure', (context) => void ((context.status = 404), (context.body = 'none')), {}, 'text/plain'],
    ['JSON', (context) => void (context.body = { id: 1 }), {}, undefined],
    ['a redirect', (context) => void ((context.status = 302), (context.body = '<p>x</p>')), {}, undefined],
    ['no content', (context) => void ((context.type = 'html'), (context.status = 204)), {}, undefined],
    ['a page of a service without a document', (context) => void (context.body = '<p>x</p>'), { openAPIURL: undefined }, undefined],
  ])('tells the media type of a body that is not recorded, which only a document gives a meaning: %s', async (_, answer, more, type) => {
    const config = { openAPIURL: 'http://127.0.0.1/openapi.json', capturePayloads: false, ...more };
    const { spans } = await traced(answer, {}, config);
    expect(spans[0]).not.toHaveProperty('response_payload');
    expect(spans[0]?.response_media_type).toBe(type);
  }); // prettier-ignore
});

describe('tags', () => {
  test('are bounded, and what is too much is counted [FLEET-TAG-01, FLEET-OP-TAG]', async () => {
    const { spans, counters } = await traced((context) => {
      for (let n = 0; n < 40; n++) tag(context, `key${n}`, n);
      tag(context, 'key0', 'again');
      tag(context, 'key1', 'ä'.repeat(100));
      tag(context, '', 'ignored');
    });
    const tags = spans[0]?.tags ?? {};
    expect(Object.keys(tags)).toHaveLength(32);
    expect(tags['key0']).toBe('again');
    expect(tags['key1']).toBe('ä'.repeat(64));
    expect(counters).toMatchObject({ tagsDropped: 8, tagsTruncated: 1 });
  });

  test('outside a traced request are counted and harm nothing', () => {
    const before = tagsOutsideTraces();
    tag(undefined, 'a', 'b');
    tag({}, 'a', 'b');
    tag({ [Symbol.for('fw.fleet.trace')]: 'foreign' }, 'a', 'b');
    expect(tagsOutsideTraces() - before).toBe(3);
  });
});

describe('calls of a plain Koa application', () => {
  test('are client spans of its requests, unless the tracer is told otherwise', async () => {
    await using called = await serve(undefined, (context) => void (context.body = 'x'));
    const call = async (context: Koa.Context) => {
      await (await fetch(called.url, propagateFromHTTP(context, { headers: {} as Record<string, string> }))).text();
      context.body = 'x';
    };
    const { spans } = await traced(call);
    expect(spans.map(({ kind }) => kind)).toEqual(['client', undefined]);
    expect(spans[0]?.parent_span_id).toBe(spans[1]?.span_id);
    expect((await traced(call, {}, { clientSpans: false })).spans.map(({ kind }) => kind)).toEqual([undefined]);
  });
});

describe('propagation', () => {
  test('is opt-in, names this hop as parent, and carries tracestate and tags [FLEET-OP-PROPAGATE-01, FLEET-OP-PROPAGATE-02]', async () => {
    const seen: Record<string, string | undefined>[] = [];
    const rejected: unknown[] = [];
    await using called = await serve(undefined, (context) => {
      seen.push({ ...context.req.headers } as Record<string, string>);
      context.body = 'x';
    });
    const { spans } = await traced(
      async (context) => {
        tag(context, 'order', '7, 8');
        await fetch(called.url);
        await fetch(called.url, propagateFromHTTP(context, { headers: {} as Record<string, string> }));
        await fetch(propagateFromHTTP(context, new Request(called.url)));
        await tracedFetch(context)(called.url, { headers: { 'x-own': 'kept' } });
        await tracedFetch(context, { origins: ['http://elsewhere'] })(called.url);
        await tracedFetch(context, { origins: [called.url] })('no URL').catch((error: unknown) => rejected.push(error));
        const dispatcher = new Agent().compose(traceInterceptor([called.url], context) as never);
        await (await undiciRequest(called.url, { dispatcher, headers: { 'x-own': 'kept' } })).body.dump();
        await dispatcher.close();
        context.body = 'x';
      },
      { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1' },
      // With them it would be the call that is named as parent.
      { clientSpans: false },
    );
    const carried = {
      traceparent: `00-${TRACE}-${spans[0]?.span_id}-01`,
      tracestate: 'vendor=1',
      'x-fw-baggage': 'order=7%2C%208',
      'x-fw-service': 'orders',
    };
    expect(seen).toHaveLength(6);
    expect(rejected).toMatchObject([{ code: 'ERR_INVALID_URL' }]);
    for (const at of [0, 4]) expect(seen[at]).not.toHaveProperty('traceparent');
    for (const at of [1, 2, 3, 5]) expect(seen[at]).toMatchObject(carried);
    for (const at of [3, 5]) expect(seen[at]).toMatchObject({ 'x-own': 'kept' });
  });

  test('reaches the called service whichever way its headers are given', async () => {
    const seen: (string | undefined)[] = [];
    await using called = await serve(undefined, (context) => {
      seen.push(context.get('traceparent'));
      context.body = 'x';
    });
    const { hostname, port } = new URL(called.url);
    const listed: [string, string][] = [['x-own', 'kept']];
    const get = async (options: RequestOptions) => {
      const [answer] = (await once(httpRequest(options).end(), 'response')) as [IncomingMessage];
      answer.resume();
    };
    const calls = [
      (context: Koa.Context) => fetch(called.url, propagateFromHTTP(context, { method: 'POST', body: 'x' })),
      (context: Koa.Context) => fetch(called.url, propagateFromHTTP(context, { signal: AbortSignal.timeout(60_000) })),
      (context: Koa.Context) => fetch(called.url, propagateFromHTTP(context, { headers: listed })),
      (context: Koa.Context) => fetch(called.url, propagateFromHTTP(context, { keepalive: true })),
      async (context: Koa.Context) =>
        (
          await undiciRequest(called.url, propagateFromHTTP(context, { headers: new Map([['x-own', 'kept']]) }))
        ).body.dump(),
      (context: Koa.Context) => fetch(called.url, { headers: propagateFromHTTP(context, {}) }),
      (context: Koa.Context) => get(propagateFromHTTP(context, { hostname, port, path: '/' })),
      (context: Koa.Context) =>
        get(propagateFromHTTP(context, { hostname, port, headers: ['Host', hostname, 'X-Own', 'kept'] })),
    ];
    await traced(
      async (context) => {
        for (const call of calls) await call(context);
        context.body = 'x';
      },
      { traceparent: `00-${TRACE}-${SPAN}-01` },
    );
    expect(seen).toEqual(calls.map(() => expect.stringMatching(new RegExp(`^00-${TRACE}-`))));
    expect(listed).toEqual([
      ['x-own', 'kept'],
      ['traceparent', expect.any(String)],
      ['x-fw-service', 'orders'],
    ]);
  });

  test('goes into a message itself, whatever its members are called', async () => {
    const message: Record<string, string> = { method: 'paid', body: '7' };
    await traced((context) => {
      inject(message, context);
      context.body = 'x';
    });
    expect(message).toMatchObject({ method: 'paid', traceparent: expect.any(String) });
  });

  test('outside a traced request writes nothing', () => {
    expect(propagateFromHTTP(undefined, { headers: {} })).toEqual({ headers: {} });
  });
});

describe('export', () => {
  const push = (tracer: Tracer, count: number) => {
    const recorder = spanRecorder(tracer);
    const context = {};
    const trace = tracer.beginRoot();
    Object.assign(context, { [Symbol.for('fw.fleet.trace')]: trace });
    for (let n = 0; n < count; n++)
      recorder.record(context, { kind: 'internal', name: `n${n}`, method: 'X', durationMs: 1 });
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  test('sends full batches at once and the rest on the interval [FLEET-OVERVIEW-03]', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { tracer, transport } = setup({ maxBatchSize: 10 });
    push(tracer, 25);
    await turn();
    expect(transport.batches.map((batch) => batch.length)).toEqual([10, 10]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(transport.batches.map((batch) => batch.length)).toEqual([10, 10, 5]);
  });

  test('never waits: a full buffer drops its oldest span and counts it [FLEET-RULE-EXPORT-01, FLEET-RULE-EXPORT-02]', async () => {
    const { tracer, transport } = setup({ maxBufferSpans: 100, maxBatchSize: 1_000, flushInterval: '1h' });
    push(tracer, 250);
    expect(tracer.counters()).toMatchObject({ spansRecorded: 250, spansBuffered: 100, spansDropped: 150 });
    await tracer.close();
    expect(transport.spans.map(({ route }) => route)[0]).toBe('n150');
  });

  test('tries a failed batch again with growing pauses, up to eight times, then drops and counts it [FLEET-RULE-EXPORT-03]', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { tracer, transport } = setup();
    transport.fail = new TypeError('down');
    push(tracer, 5);
    for (let second = 0; second < 200; second++) await jest.advanceTimersByTimeAsync(1_000);
    expect(MAX_TRIES).toBe(8);
    expect(tracer.counters()).toMatchObject({ exportFailures: 8, spansDropped: 5, spansBuffered: 0 });
  });

  test('loses nothing when the aggregator comes back in time', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { tracer, transport } = setup();
    transport.fail = new TypeError('down');
    push(tracer, 700);
    for (let second = 0; second < 20; second++) await jest.advanceTimersByTimeAsync(1_000);
    expect(tracer.counters()).toMatchObject({ spansExported: 0, spansBuffered: 700 });
    transport.fail = undefined;
    for (let second = 0; second < 40; second++) await jest.advanceTimersByTimeAsync(1_000);
    expect(tracer.counters()).toMatchObject({ spansExported: 700, spansDropped: 0, spansBuffered: 0 });
  });

  test('stays bounded while the aggregator is down for long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const { tracer, transport } = setup({ maxBufferSpans: 1_000 });
    transport.fail = new TypeError('down');
    for (let second = 0; second < 300; second++) {
      push(tracer, 100);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(tracer.counters().spansBuffered).toBeLessThanOrEqual(1_000);
    }
    const { spansRecorded, spansDropped, spansBuffered } = tracer.counters();
    expect(spansDropped + spansBuffered).toBe(spansRecorded);
  });

  test('drops a batch at once that the aggregator will never take', async () => {
    const { tracer, transport } = setup();
    transport.fail = Object.assign(new TypeError('malformed'), { isPermanent: true });
    push(tracer, 200);
    await turn();
    await turn();
    expect(tracer.counters()).toMatchObject({ spansDropped: 200, exportFailures: 1, spansBuffered: 0 });
  });

  test('counts what was on its way when its time to close was over, and did not arrive', async () => {
    const { tracer, transport } = setup();
    let fail: (error: Error) => void = () => {};
    transport.answer = new Promise((_, reject) => (fail = reject));
    push(tracer, 5);
    await tracer.close({ timeout: 20 });
    fail(new Error('away'));
    await turn();
    await turn();
    expect(tracer.counters()).toMatchObject({ spansRecorded: 5, spansDropped: 5, spansBuffered: 0 });
  });

  test('heartbeats begin at once and say what was observed', async () => {
    const { tracer, transport } = setup({
      version: '1.2.3',
      openAPIURL: 'http://a/openapi.json',
      openAPIHash: () => 'h1',
    });
    tracer.observe(false, 3);
    tracer.observe(true, 3, 'b%C3%BCro');
    tracer.observe(false, 200);
    await turn();
    await turn();
    expect(transport.heartbeats).toMatchObject([
      {
        service: 'orders',
        version: '1.2.3',
        error_rate: 1 / 3,
        durations: [expect.closeTo(3, 1), 2, expect.closeTo(200, -1), 1],
        errors: 1,
        callers: [{ service: 'büro', durations: [expect.closeTo(3, 1), 1], errors: 1 }],
        openapi_url: 'http://a/openapi.json',
        openapi_hash: 'h1',
      },
    ]);
    expect(transport.heartbeats[0]?.rps).toBeGreaterThan(0);
  });

  test('a heartbeat that does not arrive leaves its requests to the next one', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance'] });
    const { tracer, transport } = setup();
    transport.fail = new Error('unreachable');
    transport.answer = Promise.reject(transport.fail as Error);
    tracer.observe(true, 3, 'web');
    await turn();
    await turn();
    expect([tracer.heartbeatFailure, transport.heartbeats]).toEqual(['unreachable', []]);
    transport.answer = Promise.resolve();
    tracer.observe(false, 3, 'web');
    for (let beat = 0; beat < 2; beat++) await jest.advanceTimersByTimeAsync(5_000);
    expect(transport.heartbeats).toMatchObject([
      {
        durations: [expect.closeTo(3, 1), 2],
        errors: 1,
        callers: [{ service: 'web', durations: [expect.closeTo(3, 1), 2], errors: 1 }],
      },
      { durations: [], errors: 0, callers: [] },
    ]);
  });
});
