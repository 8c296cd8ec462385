import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import { until } from '../../../kernel/testing/until.js';
import { span, spanId, traceId } from '../../../kernel/testing/fleet-spans.js';
import { HttpServer, plugin } from '../../../kernel/index.js';
import http from '../../http/index.js';
import tracerPlugin, { FleetTracer } from '../tracer/index.js';
import aggregatorPlugin, { type AggregatorConfig, type AggregatorStats, FleetAggregator, type Trace } from './index.js';

const TOKEN = 'write me';
const HOUR_MS = 3_600_000;

const apps: BootedTestApp[] = [];

afterEach(async () => {
  for (const app of apps.splice(0).reverse()) await app.stop();
});

async function boot(options: AggregatorConfig, port = 0) {
  const app = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port }),
      plugin(() => Promise.resolve(aggregatorPlugin), { ingestToken: TOKEN, ...options }),
    ],
  });
  apps.push(app);
  const url = `${app.services.get(HttpServer).url}/fleet/api`;
  return {
    app,
    port: app.services.get(HttpServer).port,
    read: async <Answer>(path: string) => (await (await fetch(`${url}/${path}`)).json()) as Answer,
    /** @returns the status that a body of spans is answered with */
    send: async (body: unknown, headers: Record<string, string> = {}) => {
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      const sent = { 'x-fleet-token': TOKEN, ...headers };
      return (await fetch(`${url}/spans`, { method: 'POST', body: text, headers: sent })).status;
    },
  };
}

type Stats = AggregatorStats & { readonly requests_refused: Readonly<Record<string, number>> };

const GZIP = { 'content-encoding': 'gzip' };

describe('input that nobody should send', () => {
  test('is refused and counted, and leaves what others sent as it was', async () => {
    const { send, read } = await boot({ maxBodyBytes: 4096, maxBatchSpans: 10 });
    const good = [
      span({ id: 1, service: 'gateway', status: 500 }),
      span({ id: 2, parent: 1, service: 'orders', status: 500 }),
    ];
    expect(await send(good)).toBe(202);
    const before = await read<Trace>(`traces/${traceId(1)}`);

    expect(await send(good, { 'x-fleet-token': 'wrong' })).toBe(401);
    expect(await send('{')).toBe(400);
    expect(await send({ spans: [] })).toBe(400);
    expect(await send('nonsense', GZIP)).toBe(400);
    expect(await send('[]', { 'content-encoding': 'zstd' })).toBe(415);
    expect(await send(`[${' '.repeat(5_000)}]`)).toBe(413);
    expect(await send(gzipSync(`[${' '.repeat(100_000)}]`), GZIP)).toBe(413);
    expect(await send(Array.from({ length: 11 }, (_, n) => ({ id: n })))).toBe(413);
    // One wrong id, and nothing of the batch is taken.
    expect(await send([span({ trace: 2, id: 3 }), { ...span({ trace: 2, id: 4 }), span_id: 'XYZ' }])).toBe(400);

    expect(await read<Trace>(`traces/${traceId(1)}`)).toEqual(before);
    expect(before.root_cause_span_id).toBe(spanId(2));
    const stats = await read<Stats>('stats');
    expect(stats).toMatchObject({ spans: 2, traces: 1, spans_accepted: 2, batches_accepted: 1, batches_rejected: 4 });
    expect(stats.requests_refused).toEqual({
      FW_FLEET_UNAUTHORIZED: 1,
      FW_FLEET_BATCH_MALFORMED: 2,
      FW_FLEET_GZIP: 1,
      FW_FLEET_ENCODING: 1,
      FW_FLEET_BODY_TOO_LARGE: 1,
      FW_FLEET_EXPANDED_TOO_LARGE: 1,
      FW_FLEET_BATCH_TOO_LARGE: 1,
      FW_FLEET_SPAN_IDENTITY: 1,
    });
  });

  test('that can be made sense of is: circles of parents, clocks hours apart, times and types that cannot be', async () => {
    const { send, read } = await boot({});
    const circle = [
      span({ trace: 1, id: 1, parent: 2 }),
      span({ trace: 1, id: 2, parent: 1 }),
      span({ trace: 1, id: 3, parent: 3 }),
    ];
    const clocks = [
      span({ trace: 2, id: 4, service: 'a', status: 500 }),
      span({ trace: 2, id: 5, parent: 4, service: 'b', start: -5 * HOUR_MS, status: 500 }),
    ];
    const odd = {
      ...span({ trace: 3, id: 6 }),
      start_ns: 'yesterday',
      duration_ms: -1e300,
      status: '200',
      service: { a: 1 },
      tags: [['x']],
      header_names: 7,
    };
    expect(await send([...circle, ...clocks, odd])).toBe(202);
    expect(await read<Trace>(`traces/${traceId(1)}`)).toMatchObject({ span_count: 3, orphan_count: 2 });
    expect(await read<Trace>(`traces/${traceId(2)}`)).toMatchObject({
      skew_flagged: true,
      root_cause_span_id: spanId(5),
    });
    expect(await read<Trace>(`traces/${traceId(3)}`)).toMatchObject({
      span_count: 1,
      duration_ms: 0,
      status: 0,
      services: [''],
    });
  });

  test('so is what is nested deeper than the stack', async () => {
    const { send, read } = await boot({});
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const whole = JSON.stringify([{ ...span({ id: 1 }), header_names: ['deep'] }]).replace(
      '"deep"',
      `"accept",${deep}`,
    );
    expect(await send(whole)).toBe(202);
    const { roots } = await read<Trace>(`traces/${traceId(1)}`);
    expect(roots).toMatchObject([{ header_names: ['accept'] }]);
  });
});

test('a service whose aggregator is down answers as ever, holds its spans, and delivers them when it is back', async () => {
  // A port that is free, for an aggregator that comes later.
  const gone = await boot({});
  await gone.app.stop();
  apps.length = 0;
  const shop = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(tracerPlugin), {
        enabled: true,
        aggregatorURL: `http://127.0.0.1:${gone.port}/fleet`,
        ingestToken: TOKEN,
        flushInterval: 20,
        maxBufferSpans: 40,
      }),
      routesUnderTest((router) => {
        router.get('/orders/:id', (context) => context.params.id);
      }),
    ],
  });
  apps.push(shop);
  const tracer = shop.services.get(FleetTracer);
  for (let id = 0; id < 50; id++) {
    const answer = await fetch(`${shop.services.get(HttpServer).url}/orders/${id}`);
    expect([answer.status, await answer.text()]).toEqual([200, String(id)]);
  }
  await until(() => tracer.counters().exportFailures > 0, 'failed export');
  expect(tracer.counters()).toMatchObject({ spansRecorded: 50, spansExported: 0, spansDropped: 10 });

  const back = await boot({}, gone.port);
  const aggregator = back.app.services.get(FleetAggregator);
  await until(() => aggregator.stats().spans === 40, 'delivery');
  await tracer.close();
  expect(tracer.counters()).toMatchObject({ spansExported: 40, spansDropped: 10, spansBuffered: 0 });
});
