import { request as httpRequest } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer, MemoryEventBackend, plugin } from '../../../kernel/index.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import { until } from '../../../kernel/testing/until.js';
import http from '../../http/index.js';
import aggregatorPlugin, { FleetAggregator, type SpanNode } from '../aggregator/index.js';
import tracerPlugin, { extract, FleetTracer, inject, propagateFromHTTP, startSpan, traceMessages } from './index.js';
import type { TracerPluginOptions } from './plugin-options.js';

const apps: BootedTestApp[] = [];
/** Accepts connections and breaks them off with the first byte. */
let breaking: Server;
let brokenUrl: string;
const seen: string[] = [];

beforeAll(async () => {
  breaking = createServer((socket) => socket.on('data', () => socket.destroy()).on('error', () => undefined));
  await new Promise<void>((resolve) => breaking.listen(0, '127.0.0.1', resolve));
  brokenUrl = `http://127.0.0.1:${(breaking.address() as { port: number }).port}`;
});

afterAll(() => new Promise((resolve) => breaking.close(resolve)));

afterEach(async () => {
  seen.length = 0;
  for (const app of apps.splice(0)) await app.stop();
});

async function shop(options: Partial<TracerPluginOptions> = {}) {
  const app: BootedTestApp = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), {}),
      plugin(() => Promise.resolve(tracerPlugin), { enabled: true, flushInterval: 20, ...options }),
      routesUnderTest((router) => {
        const own = () => app.services.get(HttpServer).url;
        router.get('/callee/:id', (context) => {
          seen.push(String(context.req.headers['traceparent'] ?? 'none'));
          context.status = Number(context.params.id);
          return 'an answer';
        });
        router.get('/waits', () => new Promise((resolve) => setTimeout(resolve, 30_000).unref()));
        router.get('/propagates', async (context) => {
          const headers = propagateFromHTTP(context, {} as Record<string, string>);
          for (const _ of ['once', 'again']) await (await fetch(`${own()}/callee/200`, { headers })).text();
          return 'done';
        });
        router.get('/unread', async (context) => {
          await fetch(`${own()}/callee/200`, { headers: inject({} as Record<string, string>, context) });
          return 'done';
        });
        router.get('/by-another-way', (context) => inject({} as Record<string, string>, context));
        router.get('/native', async (context) => {
          await new Promise((resolve, reject) => {
            const request = httpRequest(`${own()}/callee/200?token=hush`, (answer) =>
              answer.resume().on('end', resolve),
            );
            propagateFromHTTP(context, request).on('error', reject).end();
          });
          return 'done';
        });
        router.get('/calls', async (context) => {
          const to = new URLSearchParams(context.querystring).get('to') ?? '';
          await fetch(to.replace('OWN', own()), { signal: AbortSignal.timeout(to.endsWith('waits') ? 100 : 20_000) })
            .then((answer) => answer.text())
            .catch(() => undefined);
          return 'done';
        });
        router.get('/begins', (context) => {
          context.respond = false;
          context.res.writeHead(200, { 'Content-Length': 1_000 }).write('x');
          if (context.querystring !== '') setTimeout(() => context.req.socket.destroy(), 50);
        });
        router.get('/ends', async (context) => {
          const how = new URLSearchParams(context.querystring).get('how') ?? '';
          const to = { broken: `${brokenUrl}/x`, half: `${own()}/begins?then=end`, enough: `${own()}/begins` }[how];
          await new Promise<void>((resolve) => {
            const request = httpRequest(to ?? `${own()}/${how === 'timeout-late' ? 'begins' : 'waits'}`, (answer) => {
              answer.on('error', () => undefined).on('close', resolve);
              // From here on, so that the answer has begun when the time is over.
              if (how === 'timeout-late') request.setTimeout(80, () => request.destroy());
              if (how === 'enough') answer.destroy();
              else answer.resume();
            });
            request
              .on('error', () => undefined)
              .on('close', resolve)
              .end();
            if (how === 'timeout' || how === 'timeout-error')
              request.setTimeout(80, () =>
                request.destroy(how === 'timeout-error' ? new Error('too slow') : undefined),
              );
            if (how === 'destroy') setTimeout(() => request.destroy(), 80);
          });
          return 'done';
        });
        router.get('/works', async () => {
          await startSpan('price', { attributes: { 'shop.items': 3 } })?.run(() => fetch(`${own()}/callee/200`));
          return 'done';
        });
      }),
    ],
  });
  apps.push(app);
  const aggregator = app.services.get(FleetAggregator);
  const tracer = app.services.get(FleetTracer);
  return {
    app,
    tracer,
    aggregator,
    /** Spans of the trace of a route, the request first. */
    async spansOf(path: string, count: number): Promise<readonly SpanNode[]> {
      await fetch(app.services.get(HttpServer).url + path);
      const route = path.split('?')[0];
      const found = () => aggregator.traces({}).traces.find((each) => each.route === route && each.span_count >= count);
      await until(() => found() !== undefined, `${count} spans of ${path}`);
      const trace = aggregator.trace(found()?.trace_id as string);
      return flat(trace?.roots ?? []);
    },
  };
}

const flat = (nodes: readonly SpanNode[]): SpanNode[] => nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);

describe('a call inside a traced request is a client span', () => {
  test('with the names of the semantic conventions, and adds no header to the call', async () => {
    const { spansOf, app } = await shop();
    const port = Number(new URL(app.services.get(HttpServer).url).port);
    const [, call] = await spansOf('/calls?to=OWN/callee/503?token=hush', 2);
    expect(call).toMatchObject({
      kind: 'client',
      service: 'shop',
      method: 'GET',
      route: '/callee/*',
      status: 503,
      error: 'HTTP 503',
      attributes: {
        'http.request.method': 'GET',
        'url.scheme': 'http',
        'server.address': '127.0.0.1',
        'server.port': port,
        'http.response.status_code': 503,
        'error.type': '503',
      },
    });
    expect(JSON.stringify(call)).not.toContain('hush');
    expect(seen).toEqual(['none']);
  });

  test.each([
    ['a callee that is dead', 'http://127.0.0.1:1024/stock/7', 'ECONNREFUSED'],
    ['a name that nobody has', 'http://stock.invalid/stock', /^ENOTFOUND$|^EAI_AGAIN$/],
    ['a callee that crashes', 'BROKEN/x', /^UND_ERR_SOCKET$|^ECONNRESET$/],
    ['a callee that is too slow', 'OWN/waits', 'TimeoutError'],
  ])('%s is named by the class of its error', async (_name, url, type) => {
    const { spansOf } = await shop();
    const [, call] = await spansOf(`/calls?to=${url.replace('BROKEN', brokenUrl)}`, 2);
    expect(call).toMatchObject({ kind: 'client', status: 0, error: expect.stringMatching(type) });
    expect(call?.attributes?.['error.type']).toBe(call?.error);
  });

  test.each([
    ['by its own deadline', 'timeout', { error: 'TimeoutError', status: 0 }],
    ['with an error of its own at its own deadline', 'timeout-error', { error: 'TimeoutError', status: 0 }],
    ['when something else has failed', 'destroy', { error: 'AbortError', status: 0 }],
    ['while the answer comes', 'timeout-late', { error: 'TimeoutError', status: 200 }],
  ])('of node:http that its caller ends %s is not one whose connection broke off', async (_name, how, expected) => {
    const { spansOf } = await shop();
    const [, call] = await spansOf(`/ends?how=${how}`, 2);
    expect(call).toMatchObject({ kind: 'client', ...expected });
  });

  test('of node:http whose caller has read enough of the answer has not failed', async () => {
    const { spansOf } = await shop();
    const [, call] = await spansOf('/ends?how=enough', 2);
    expect(call).toMatchObject({ kind: 'client', status: 200 });
    expect(call).not.toHaveProperty('error');
  });

  test.each([
    ['before the answer', 'broken', 0],
    ['in the answer', 'half', 200],
  ])('of node:http whose connection the callee ends %s broke off', async (_name, how, status) => {
    const { spansOf } = await shop();
    const [, call] = await spansOf(`/ends?how=${how}`, 2);
    expect(call).toMatchObject({ kind: 'client', status, error: 'ECONNRESET' });
  });

  test('whose headers carry the trace on is the parent of the callee; a second one with the same headers is one of its own', async () => {
    const { spansOf } = await shop();
    const [root, first, one, second, other] = await spansOf('/propagates', 5);
    expect([first?.kind, second?.kind]).toEqual(['client', 'client']);
    expect([first?.parent_span_id, second?.parent_span_id]).toEqual([root?.span_id, root?.span_id]);
    expect([one?.parent_span_id, other?.parent_span_id]).toEqual([first?.span_id, second?.span_id]);
    expect(one).toMatchObject({ route: '/callee/:id', service: 'shop' });
  });

  test('of node:http is one as well', async () => {
    const { spansOf } = await shop();
    const [root, call, callee] = await spansOf('/native', 3);
    expect(call).toMatchObject({ kind: 'client', route: '/callee/*', status: 200, parent_span_id: root?.span_id });
    expect(callee?.parent_span_id).toBe(call?.span_id);
    expect(JSON.stringify(call)).not.toContain('hush');
  });

  test('is recorded also when nobody reads the answer', async () => {
    const { spansOf } = await shop();
    const [, call, callee] = await spansOf('/unread', 3);
    expect([call?.kind, call?.status, callee?.parent_span_id]).toEqual(['client', 200, call?.span_id]);
  });

  test('that goes out by a way which cannot be watched keeps the place that its headers name', async () => {
    const { spansOf, app } = await shop();
    const answer = await fetch(`${app.services.get(HttpServer).url}/by-another-way`);
    const headers = (await answer.json()) as Record<string, string>;
    const [, call] = await spansOf('/by-another-way', 2);
    expect(call).toMatchObject({ kind: 'client', method: 'CALL', route: 'propagated' });
    expect(extract(headers)?.spanId).toMatch(/^[0-9a-f]{16}$/);
  });

  test('stands below the span that it is made in', async () => {
    const { spansOf } = await shop();
    const [root, work, call] = await spansOf('/works', 3);
    expect(work).toMatchObject({
      kind: 'internal',
      route: 'price',
      method: 'RUN',
      parent_span_id: root?.span_id,
      attributes: { 'shop.items': 3 },
    });
    expect(call).toMatchObject({ kind: 'client', parent_span_id: work?.span_id });
  });

  test('is none while clientSpans is false, and propagated headers name the request itself', async () => {
    const { spansOf } = await shop({ clientSpans: false });
    const [root, ...callees] = await spansOf('/propagates', 3);
    expect(callees.map(({ kind, parent_span_id }) => [kind, parent_span_id])).toEqual([
      [undefined, root?.span_id],
      [undefined, root?.span_id],
    ]);
  });

  test('the exports of the tracer itself are none', async () => {
    const { spansOf, aggregator } = await shop({ maxBatchSize: 1 });
    await spansOf('/works', 3);
    await spansOf('/unread', 3);
    const all = aggregator.traces({}).traces.flatMap(({ trace_id: id }) => flat(aggregator.trace(id)?.roots ?? []));
    expect(all.filter(({ route }) => route.startsWith('/fleet'))).toEqual([]);
  });
});

describe('without sampling', () => {
  test('only calls that failed are recorded', async () => {
    const { app, aggregator } = await shop({ sampleRate: 0 });
    const calls = `${app.services.get(HttpServer).url}/calls?to=OWN/callee`;
    for (const status of [200, 429, 200]) await fetch(`${calls}/${status}`);
    await app.services.get(FleetTracer).close();
    expect(aggregator.stats().spans_accepted).toBe(1);
    const [trace] = aggregator.traces({}).traces;
    expect(aggregator.trace(trace?.trace_id ?? '')?.roots).toMatchObject([
      { kind: 'client', status: 429, error: 'HTTP 429', orphan: true },
    ]);
  });
});

describe('messages', () => {
  test('carry the trace: whoever handles one stands below whoever sent it', async () => {
    const { tracer, aggregator } = await shop();
    const backend = new MemoryEventBackend();
    const end = traceMessages(backend, tracer);
    const handled: string[] = [];
    await backend.subscribe('orders.placed', ({ meta }) => void handled.push(meta['traceparent'] ?? ''));
    await backend.subscribe('orders.placed', () => Promise.reject(new RangeError('hush')));
    const root = tracer.startSpan('checkout');
    await root.run(() => backend.publish('orders.placed', Buffer.from('{}')));
    await backend.close();
    end();
    await until(() => aggregator.trace(root.traceId)?.span_count === 4, 'four spans');
    const [top, producer, ...consumers] = flat(aggregator.trace(root.traceId)?.roots ?? []);
    expect(top).toMatchObject({ kind: 'internal', route: 'checkout' });
    expect(producer).toMatchObject({
      kind: 'producer',
      method: 'SEND',
      route: 'orders.placed',
      attributes: {
        'messaging.system': 'memory',
        'messaging.destination.name': 'orders.placed',
        'messaging.operation.type': 'send',
      },
    });
    expect(extract({ traceparent: handled[0] })).toMatchObject({ traceId: root.traceId, spanId: producer?.span_id });
    expect(consumers.map(({ kind, error, parent_span_id }) => [kind, error, parent_span_id])).toEqual(
      expect.arrayContaining([
        ['consumer', undefined, producer?.span_id],
        ['consumer', 'RangeError', producer?.span_id],
      ]),
    );
    expect(JSON.stringify(consumers)).not.toContain('hush');
  });

  test('of the tracer itself leave nothing, and links lead to other traces', async () => {
    const { tracer, aggregator } = await shop();
    const one = tracer.startSpan('one');
    one.end();
    const links = [extract(one.inject({} as Record<string, string>))].filter((each) => each !== undefined);
    const batch = tracer.startSpan('batch', { kind: 'consumer', links });
    batch.end();
    await until(() => aggregator.trace(batch.traceId) !== undefined, 'the batch');
    expect(aggregator.trace(batch.traceId)?.roots).toMatchObject([
      { kind: 'consumer', links: [{ trace_id: one.traceId, span_id: one.spanId }] },
    ]);
  });
});
