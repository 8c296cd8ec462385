import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { type RunningProcess, startProcess } from '../../../kernel/process/index.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import { until } from '../../../kernel/testing/until.js';
import http from '../../http/index.js';
import aggregatorPlugin, { FleetAggregator, type Trace } from '../aggregator/index.js';
import tracerPlugin, { FleetTracer, propagateFromHTTP } from './index.js';
import { PATIENCE_MS } from '../../../kernel/testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const RELAY = path.join(ROOT, 'plugins/fleet/testing/otel-relay.mjs');

/** A span as the relay prints it. */
interface RelaySpan {
  readonly kind: 'SERVER' | 'CLIENT';
  readonly trace: string;
  readonly span: string;
  readonly parent?: string;
  readonly tracestate?: string;
}

let relay: RunningProcess;
let app: BootedTestApp;
let urls: { readonly own: string; readonly relay: string };

/** Calls the relay, which calls whatever `to` names, from within a traced request. */
const viaRelay = (to: string) => `${urls.relay}/?to=${encodeURIComponent(to)}`;

beforeAll(async () => {
  relay = await startProcess({ command: process.execPath, args: [RELAY], cwd: ROOT });
  const [, port] = await relay.waitForLine(/^port (\d+)$/, { timeoutMs: PATIENCE_MS });
  app = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), {}),
      plugin(() => Promise.resolve(tracerPlugin), { enabled: true, flushInterval: 20 }),
      routesUnderTest((router) => {
        router.get('/gateway', async (context) => {
          await fetch(
            viaRelay(`${urls.own}/orders`),
            propagateFromHTTP(context, { headers: {} as Record<string, string> }),
          );
          return 'done';
        });
        router.get('/orders', () => 'an order');
      }),
    ],
  });
  urls = { own: app.services.get(HttpServer).url, relay: `http://127.0.0.1:${port}` };
});

afterAll(async () => {
  await app.stop();
  await relay.stop();
});

/** Spans of the relay in a trace, the answered request before the one that it made. */
async function relaySpans(trace: string): Promise<readonly [RelaySpan, RelaySpan]> {
  const line = (kind: string) =>
    relay.waitForLine(new RegExp(`^\\{"kind":"${kind}","trace":"${trace}".*$`), { timeoutMs: PATIENCE_MS });
  const [server, client] = await Promise.all([line('SERVER'), line('CLIENT')]);
  return [JSON.parse(server[0]) as RelaySpan, JSON.parse(client[0]) as RelaySpan];
}

async function assembled(traceId: string, spans: number): Promise<Trace> {
  const aggregator = app.services.get(FleetAggregator);
  await until(() => aggregator.trace(traceId)?.span_count === spans, `trace of ${spans} spans`);
  return aggregator.trace(traceId) as Trace;
}

const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };

describe('a service that OpenTelemetry instruments', () => {
  test('in the middle of a trace keeps it whole: what it calls belongs to the trace of its caller', async () => {
    const headers = {
      traceparent: `00-${CALLER.trace}-${CALLER.span}-01`,
      tracestate: 'vendor=opaque',
    };
    await fetch(`${urls.own}/gateway`, { headers });
    const [server, client] = await relaySpans(CALLER.trace);
    const trace = await assembled(CALLER.trace, 3);
    const [gateway, orders] = ['/gateway', '/orders'].map((route) => trace.roots.find((each) => each.route === route));
    const [call] = gateway?.children ?? [];
    // The chain of parents goes gateway, its call, relay's request, relay's call, orders, without a gap.
    expect(gateway?.parent_span_id).toBe(CALLER.span);
    expect(call).toMatchObject({ kind: 'client', parent_span_id: gateway?.span_id });
    expect(server.parent).toBe(call?.span_id);
    expect(client.parent).toBe(server.span);
    expect(orders?.parent_span_id).toBe(client.span);
    expect(server.tracestate).toBe('vendor=opaque');
    // The relay reports elsewhere, so what it called stands beside, marked as having a parent that is not there.
    expect(orders?.orphan).toBe(true);
  });

  test('is a caller like any other: the service that it calls goes on with its trace', async () => {
    await fetch(viaRelay(`${urls.own}/orders`));
    const line = await relay.waitForLine(/^\{"kind":"SERVER","trace":"(?!4bf92f)(\w{32})".*$/, {
      timeoutMs: PATIENCE_MS,
    });
    const [server, client] = await relaySpans(line[1] as string);
    const trace = await assembled(server.trace, 1);
    expect(trace.roots[0]).toMatchObject({ route: '/orders', parent_span_id: client.span });
    expect(app.services.get(FleetTracer).counters().malformedHeaders).toBe(0);
  });
});
