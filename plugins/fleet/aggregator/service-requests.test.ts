import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { until } from '../../../kernel/testing/until.js';
import { span, traceId } from '../../../kernel/testing/fleet-spans.js';
import { HttpServer, plugin } from '../../../kernel/index.js';
import http from '../../http/index.js';
import aggregatorPlugin, { type AggregatorConfig, FleetAggregator, type TraceLogs } from './index.js';

// What the aggregator asks services for: their OpenAPI documents and their log lines.

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A service that answers with something, and remembers how it was asked. */
async function service(answers: Readonly<Record<string, unknown>>) {
  const asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers });
    const answer = answers[url.split('?')[0] as string];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())));
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function boot(options: AggregatorConfig = {}) {
  const app: BootedTestApp = await bootTestApp({
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(aggregatorPlugin), { ingestToken: 'write', ...options }),
    ],
  });
  closing.push(() => app.stop());
  const url = `${app.services.get(HttpServer).url}/fleet/api`;
  const headers = { 'x-fleet-token': 'write', traceparent: `00-${traceId(9)}-${'b'.repeat(16)}-01` };
  return {
    aggregator: app.services.get(FleetAggregator),
    url,
    post: (path: string, body: unknown) =>
      fetch(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}

const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/orders': { get: { responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } } } },
  },
};
const ANSWERED = span({ id: 1, service: 'orders', route: '/orders', response_payload: { not: 'a list' } });

describe('the OpenAPI document of a service', () => {
  test('is fetched from where its heartbeat says, without the trace of whoever asked [FLEET-HTTP-OPENAPI-01, FLEET-HTTP-OPENAPI-02]', async () => {
    const orders = await service({ '/openapi.json': DOCUMENT });
    const { aggregator, post } = await boot();
    await post('heartbeat', { service: 'orders', openapi_hash: '1', openapi_url: `${orders.url}/openapi.json` });
    await post('spans', [ANSWERED]);
    await until(() => aggregator.violations().length > 0, 'violation');
    expect(orders.asked.map(({ url }) => url)).toEqual(['/openapi.json']);
    for (const name of ['traceparent', 'tracestate', 'x-fw-baggage', 'x-fleet-token', 'authorization']) {
      expect(orders.asked[0]?.headers).not.toHaveProperty(name);
    }
  });

  test('promises a media type, which is compared where no body is recorded either', async () => {
    const orders = await service({ '/openapi.json': DOCUMENT });
    const { aggregator, post } = await boot();
    await post('heartbeat', { service: 'orders', openapi_hash: '1', openapi_url: `${orders.url}/openapi.json` });
    const page = span({ id: 1, service: 'orders', route: '/orders', response_media_type: 'text/html' });
    await until(() => aggregator.stats().contracts.schemas === 1, 'document');
    await post('spans', [page]);
    await until(() => aggregator.violations().length > 0, 'violation');
    expect(aggregator.violations()).toMatchObject([
      { rule: 'mediaType', expected: 'application/json', observed: 'text/html', callee: 'orders' },
    ]);
    const [node] = aggregator.trace(page.trace_id)?.roots ?? [];
    expect(node).toMatchObject({ response_media_type: 'text/html' });
    expect(node).not.toHaveProperty('response_payload');
  });

  test('is what calls are checked against, unless contractValidation is switched off [FLEET-AGG-CONTRACT-VALIDATION]', async () => {
    const orders = await service({ '/openapi.json': DOCUMENT });
    const heartbeat = { service: 'orders', openapi_hash: '1', openapi_url: `${orders.url}/openapi.json` };
    const [on, off] = [await boot(), await boot({ contractValidation: false })];
    for (const { post } of [off, on]) {
      await post('heartbeat', heartbeat);
      await post('spans', [ANSWERED]);
    }
    await until(() => on.aggregator.violations().length > 0, 'violation');
    expect(on.aggregator.violations()).toMatchObject([{ callee: 'orders', rule: 'type', expected: 'array' }]);
    expect(off.aggregator.violations()).toEqual([]);
    expect(off.aggregator.stats().contracts).toEqual({ off: true });
    expect(orders.asked).toHaveLength(1);
  });
});

describe('the log lines of a trace', () => {
  const line = (time: string, message: string) => ({ time, level: 'info', message, trace_id: traceId(1) });

  test('are asked of the log store of each service that took part, and merged by time [FLEET-RULE-LOG-02]', async () => {
    const orders = await service({
      '/logs': [line('2026-01-01T00:00:02Z', 'paid'), line('2026-01-01T00:00:04Z', 'sent')],
    });
    const gateway = await service({
      '/logs': [line('2026-01-01T00:00:01Z', 'asked'), line('2026-01-01T00:00:03Z', 'waits')],
    });
    const silent = await service({});
    const stranger = await service({ '/logs': [line('2026-01-01T00:00:00Z', 'not mine')] });
    const { url, post } = await boot({ serviceToken: 'logs please' });
    for (const [name, each] of Object.entries({ orders, gateway, silent, stranger })) {
      await post('heartbeat', { service: name, logs_url: `${each.url}/logs` });
    }
    await post(
      'spans',
      ['gateway', 'orders', 'silent'].map((name, at) => span({ id: at + 1, service: name })),
    );
    const logs = (await (await fetch(`${url}/traces/${traceId(1)}/logs`)).json()) as TraceLogs;
    expect(logs.logs.map((each) => `${each.service}: ${each.message}`)).toEqual([
      'gateway: asked', 'orders: paid', 'gateway: waits', 'orders: sent',
    ]); // prettier-ignore
    expect(logs.sources).toMatchObject([
      { service: 'gateway', available: true, count: 2 },
      { service: 'orders', available: true, count: 2 },
      { service: 'silent', available: false, error: 'it has no log endpoint' },
    ]);
    for (const { asked } of [orders, gateway, silent]) {
      expect(asked).toMatchObject([
        { url: `/logs?trace_id=${traceId(1)}`, headers: { 'x-fleet-token': 'logs please' } },
      ]);
    }
    expect(stranger.asked).toEqual([]);
  });

  test('are merged by instant, whatever digits and zone each service writes (RFC 3339 5.6)', async () => {
    const orders = await service({
      '/logs': [line('2026-01-01T00:00:00.0005Z', '2'), line('2026-01-01T02:00:00.001000002+02:00', '5')],
    });
    const gateway = await service({
      '/logs': [
        line('2026-01-01T00:00:00Z', '1'),
        line('2025-12-31T19:00:00.000500001-05:00', '3'),
        line('2026-01-01T00:00:00.001Z', '4'),
      ],
    });
    const { url, post } = await boot({ serviceToken: 'logs please' });
    for (const [name, each] of Object.entries({ gateway, orders })) {
      await post('heartbeat', { service: name, logs_url: `${each.url}/logs` });
    }
    await post(
      'spans',
      ['gateway', 'orders'].map((name, at) => span({ id: at + 1, service: name })),
    );
    const logs = (await (await fetch(`${url}/traces/${traceId(1)}/logs`)).json()) as TraceLogs;
    expect(logs.logs.map(({ message }) => message)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('are asked of nobody without a serviceToken, nor of addresses that anybody could have sent', async () => {
    const orders = await service({ '/logs': [] });
    for (const options of [{}, { serviceToken: 'logs please', ingestToken: '' }]) {
      const { url, post } = await boot(options);
      await post('heartbeat', { service: 'orders', logs_url: `${orders.url}/logs` });
      await post('spans', [span({ id: 1, service: 'orders' })]);
      expect((await fetch(`${url}/traces/${traceId(1)}/logs`)).status).toBe(200);
    }
    expect(orders.asked).toEqual([]);
  });
});
