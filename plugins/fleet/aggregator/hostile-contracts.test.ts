import { afterEach, expect, jest, test } from '@jest/globals';
import { span, spanId, traceId } from '../../../kernel/testing/fleet-spans.js';
import { servePlain } from '../../../kernel/testing/http-app.js';
import { type BootedTestApp, bootTestApp } from '../../../kernel/testing/index.js';
import { until } from '../../../kernel/testing/until.js';
import { DiagnosticsRegistry, HttpServer, plugin } from '../../../kernel/index.js';
import http from '../../http/index.js';
import aggregator, { type AggregatorConfig, type AggregatorStats, FleetAggregator } from './index.js';

const apps: BootedTestApp[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const app of apps.splice(0).reverse()) await app.stop();
});

async function boot(options: AggregatorConfig) {
  const app = await bootTestApp({
    plugins: [plugin(() => Promise.resolve(http), { port: 0 }), plugin(() => Promise.resolve(aggregator), options)],
  });
  apps.push(app);
  const base = `${app.services.get(HttpServer).url}/fleet/api`;
  const headers = { 'content-type': 'application/json' };
  return {
    app,
    send: async (path: string, body: unknown) =>
      (await fetch(`${base}/${path}`, { method: 'POST', body: JSON.stringify(body), headers })).status,
    read: async <Answer>(path: string) => (await (await fetch(`${base}/${path}`)).json()) as Answer,
    stats: async () => ((await (await fetch(`${base}/stats`)).json()) as AggregatorStats).contracts,
  };
}

/** A service that serves nothing but a document, whose pattern backtracks without end. */
function hostileService() {
  const schema = { type: 'string', pattern: '^(a+)+$' };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const text = JSON.stringify({ paths: { '/r': { get: { responses } } } });
  return servePlain({ callback: () => (_request, response) => void response.end(text) });
}

const hostileSpan = (id: number) =>
  span({ trace: id, id, service: 'hostile', method: 'GET', route: '/r', response_payload: `${'a'.repeat(60)}!` });

test('spans are taken and read while a check does not end, and the check does not keep the process', async () => {
  await using service = await hostileService();
  // Nobody waits for this deadline: what is answered here is answered while the check runs.
  const { app, send, read, stats } = await boot({ contractDeadline: '10m' });
  await send('heartbeat', { service: 'hostile', openapi_hash: '1', openapi_url: `${service.url}/openapi.json` });
  await until(() => app.services.get(FleetAggregator).stats().contracts.schemas === 1, 'the document');
  expect(await send('spans', [hostileSpan(1)])).toBe(202);
  await until(() => app.services.get(FleetAggregator).stats().contracts.queued === 1, 'the check');
  for (let id = 2; id < 6; id++) expect(await send('spans', [span({ trace: id, id, service: 'other' })])).toBe(202);
  expect(await read(`traces/${traceId(5)}`)).toMatchObject({ roots: [{ span_id: spanId(5) }] });
  expect(await stats()).toMatchObject({ queued: 1, checked: 0, checks_exceeded: 0, not_checked: [] });
  await app.stop();
  apps.length = 0;
});

/** Timers that go on by themselves while the deadline of checks, an interval, is up to the test. */
const REAL_TIMERS = [
  'Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout',
] as const; // prettier-ignore

test('what was given up is named in the API and by the probe', async () => {
  await using service = await hostileService();
  // However slow the machine is: nothing is given up before the test lets the deadline pass.
  jest.useFakeTimers({ doNotFake: [...REAL_TIMERS] });
  const { app, send, stats } = await boot({ contractDeadline: 200 });
  const contracts = () => app.services.get(FleetAggregator).stats().contracts;
  await send('heartbeat', { service: 'hostile', openapi_hash: '1', openapi_url: `${service.url}/openapi.json` });
  await until(() => contracts().schemas === 1, 'the document');
  await send('spans', [hostileSpan(1)]);
  await until(() => {
    jest.advanceTimersByTime(200);
    return contracts().checks_exceeded === 1;
  }, 'the end of the check');
  // Where the deadline finds the thread before it has come to the pattern, the reason is the time alone.
  const reason = expect.stringMatching(/^(?:a pattern of its schema|it) takes longer than 200 ms/);
  const named = { service: 'hostile', method: 'GET', route: '/r', direction: 'response', reason, count: 1 };
  expect(await stats()).toMatchObject({ checked: 1, violations: 0, not_checked: [named] });
  const said = contracts().not_checked?.[0]?.reason;
  expect(app.services.get(DiagnosticsRegistry).get('fleet-aggregator')).toMatchObject({
    status: 'degraded',
    notes: [`Not checked: the response of GET /r of hostile: ${said}.`],
  });
  expect(app.log.messages('warn')).toContainEqual(`not checked: the response of GET /r of hostile: ${said}`);
});
