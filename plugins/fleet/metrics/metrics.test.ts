import { afterEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { HttpServer, plugin } from '../../../kernel/index.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/boot-test-app.js';
import { routesUnderTest } from '../../../kernel/testing/http-app.js';
import http from '../../http/index.js';
import tracerPlugin from '../tracer/index.js';
import metricsPlugin from './index.js';
import { exportProbes } from './subsystem-metrics.js';

const apps: BootedTestApp[] = [];

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
});

async function boot(options: object = {}, tracing: object = { enabled: true }): Promise<string> {
  const app = await bootTestApp({
    name: 'shop',
    plugins: [
      plugin(() => Promise.resolve(http), { port: 0 }),
      plugin(() => Promise.resolve(tracerPlugin), tracing),
      plugin(() => Promise.resolve(metricsPlugin), { process: false, ...options }),
      routesUnderTest((router) => {
        router.get('/orders/:id', () => 'an order');
        router.get('/broken', (ctx) => ctx.throw(503));
      }),
    ],
  });
  apps.push(app);
  return app.services.get(HttpServer).url;
}

const read = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(`${url}/metrics`, { headers })).text();

describe('metrics', () => {
  test('count requests by method, route and status, in the OpenMetrics format, with traces as exemplars', async () => {
    const url = await boot();
    for (const path of ['/orders/1', '/orders/2', '/broken', '/nowhere/hush']) await fetch(url + path);
    await fetch(url + '/orders/1', { method: 'PROPFIND' });
    const answer = await fetch(`${url}/metrics`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    const count = (method: string, route: string, status: number) =>
      `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`;
    expect(text).toContain(`${count('GET', '/orders/:id', 200)} 2\n`);
    expect(text).toContain(`${count('GET', '/broken', 503)} 1\n`);
    expect(text).toContain(`${count('GET', '', 404)} 1\n`);
    expect(text).toMatch(/http_request_method="_OTHER"/);
    expect(text).toMatch(/_bucket\{le="[\d.]+",[^}]*\} \d+ # \{trace_id="[0-9a-f]{32}"\} /);
    expect(text).toMatch(/^http_server_active_requests 0$/m);
    expect(text).toMatch(/^fw_probe_state\{subsystem="fleet",state="degraded"\} 1$/m);
    expect(text).toMatch(/^fw_probe_value\{subsystem="fleet",name="spans_recorded"\} \d+$/m);
    expect(text).toMatch(/# EOF\n$/);
    expect(text).not.toContain('hush');
    // Reading them is no traffic.
    expect(await read(url)).not.toContain('/metrics');
  });

  test.each([
    ['of a trace that is not recorded', { enabled: true, sampleRate: 0 }],
    ['of an application that is not traced', { enabled: false }],
  ])('count a request %s, which is answered as ever', async (_, tracing) => {
    const url = await boot({}, tracing);
    const answers = await Promise.all(['/orders/1', '/broken'].map((path) => fetch(url + path)));
    expect(answers.map(({ status }) => status)).toEqual([200, 503]);
    const text = await read(url);
    expect(text).toMatch(/_count\{[^}]*http_route="\/orders\/:id",http_response_status_code="200"\} 1/);
    expect(text).not.toContain('NaN');
  });

  test('want their token where there is one', async () => {
    const url = await boot({ token: 'scrape me' });
    const refused = await fetch(`${url}/metrics`);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="fw metrics"']);
    expect((await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer scrape mE' } })).status).toBe(401);
    expect(await read(url, { authorization: 'Bearer scrape me' })).toMatch(/# EOF/);
  });

  test('without a token are open to this machine only', async () => {
    const url = await boot();
    expect((await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } })).status).toBe(403);
  });

  test('have no more series than they may', async () => {
    const url = await boot({ maxSeries: 2 });
    for (const path of ['/orders/1', '/broken', '/nowhere']) await fetch(url + path);
    const text = await read(url);
    expect(text).toMatch(/http_route="_overflow",http_response_status_code="404"\} 1/);
    expect(text).toMatch(/^fw_metrics_overflows_total 1$/m);
  });

  test('of the process are there unless they are not wanted', async () => {
    expect(await read(await boot({ process: true }))).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  test('have buckets in order', async () => {
    await expect(boot({ buckets: [1, 0.5] })).rejects.toThrow(/not ascending at 0.5/);
  });
});

test('numbers of parts of a subsystem are exported behind its own', async () => {
  const registry = new Registry();
  const detail = { held: 1, queue: { waiting: 2, names: ['x'], 'a b': 3 }, list: [4], none: null };
  exportProbes(registry, { snapshot: () => [{ subsystem: 's', status: 'ok', summary: '', detail }] });
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('fw_probe_value'));
  expect(lines).toEqual([
    'fw_probe_value{subsystem="s",name="held"} 1',
    'fw_probe_value{subsystem="s",name="queue_waiting"} 2',
  ]);
});
