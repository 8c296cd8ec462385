import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Capabilities, type Logger, type Tool, type ToolResult, validatorOf } from '../../../kernel/index.js';
import { ANY_TOOL, bootTestApp, type BootedTestApp, RecordingLogger } from '../../../kernel/testing/index.js';
import { RunningEntry } from '../../../kernel/running/index.js';
import runtimeTools from '../runtime/index.js';
import fleetTools from './index.js';

const TRACE = 'a'.repeat(32);

const span = (service: string, rest: object = {}) => ({
  span_id: service.padEnd(16, '0'),
  service,
  method: 'GET',
  route: `/${service}`,
  status: 200,
  duration_ms: 5,
  ...rest,
});
const trace = {
  trace_id: TRACE,
  roots: [
    span('web', {
      status: 502,
      duration_ms: 50,
      derived_error: true,
      children: [span('auth'), span('orders', { status: 500, error: 'HTTP 500', root_cause: true, duration_ms: 30 })],
    }),
  ],
  services: ['auth', 'orders', 'web'],
  span_count: 3,
  duration_ms: 50,
  status: 502,
  has_error: true,
  orphan_count: 1,
  spans_dropped: 2,
  skew_flagged: true,
  root_cause_span_id: 'orders0000000000',
};
const AT_ITS_ADDRESS = 'Message, stack and source line of what orders threw: fw_get_recent_errors at its address.';
const violation = (rest: object) => ({
  trace_id: TRACE,
  span_id: 'b'.repeat(16),
  caller: 'web',
  callee: 'orders',
  route: '/orders',
  direction: 'response',
  path: '/id',
  rule: 'type',
  expected: 'integer',
  observed: 'string',
  severity: 'error',
  timestamp: '1700000000000000000',
  count: 1,
  first_seen: '1',
  last_seen: 2,
  ...rest,
});
const summary = {
  trace_id: TRACE,
  services: ['web'],
  root_service: 'web',
  route: '/web',
  method: 'GET',
  status: 200,
  start_ns: '1700000000000000000',
  duration_ms: 12,
  span_count: 1,
  has_error: true,
};
const node = (service: string, calls: number, rest: object = {}) => ({
  service,
  calls,
  errors: 0,
  error_rate: 0,
  p99_ms: 1,
  last_seen_unix: 1,
  ...rest,
});
const edge = { caller: 'web', callee: 'orders', calls: 3, errors: 1, error_rate: 1 / 3, p50_ms: 1, p95_ms: 2, p99_ms: 3, avg_ms: 1, last_seen_unix: 1 }; // prettier-ignore

let aggregator: Server;
let url: string;
let asked: string[] = [];
let answers: Record<string, unknown> = {};
let app: BootedTestApp;

beforeAll(async () => {
  aggregator = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = answers[(request.url ?? '').split('?')[0] as string];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body === undefined ? { error: 'not found' } : body));
  });
  await new Promise<void>((resolve) => aggregator.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(aggregator.address() as AddressInfo).port}`;
  app = await bootTestApp({ plugins: [fleetTools, runtimeTools] });
});
afterAll(async () => {
  await app.stop();
  aggregator.close();
});
beforeEach(() => {
  asked = [];
  answers = {
    '/fleet/api/topology': { nodes: [node('orders', 3, { errors: 1, error_rate: 1 / 3 }), node('web', 9, { entry: true }), node('lonely', 1)], edges: [edge] }, // prettier-ignore
    '/fleet/api/traces': [summary],
    [`/fleet/api/traces/${TRACE}`]: trace,
    '/fleet/api/violations': [
      violation({}),
      violation({ trace_id: 'c'.repeat(32), rule: 'required', severity: 'Warning', count: 5 }),
    ],
    '/fleet/api/incidents': [
      { service: 'orders', error_rate: 0.4, calls: 20, affected: [{ service: 'web', hops: 1, dependency_error_rate: 0.4, attributed_share: 0.3 }], banner: 'orders fails 40 %.', computed_unix: 1 },
      { service: 'elsewhere', error_rate: 1, calls: 10, affected: null, banner: 'not ours', computed_unix: 1 },
    ], // prettier-ignore
    '/fleet/api/stats': { traces: 1, contracts: { checked: 4, not_checked: [] } },
  };
});

async function run(name: string, input: object, workspace = '/nowhere'): Promise<ToolResult<Record<string, unknown>>> {
  const tool = app.services.get(Capabilities).tool(name)?.tool as Tool;
  const result = await tool.run({ aggregator_url: url, ...input } as never, {
    ...ANY_TOOL,
    signal: new AbortController().signal,
    log: new RecordingLogger() as Logger,
    workspace,
    readOnly: true,
    confine: async (path) => path,
    progress: () => {},
  });
  if (!result.isError) expect(validatorOf(tool.output).check(structuredClone(result.structured))).toEqual([]);
  return result as ToolResult<Record<string, unknown>>;
}

describe('the fleet tools', () => {
  test('fw_get_topology shows the graph, busiest first [MCP-CATEGORY-FLEET-02]', async () => {
    const { structured } = await run('fw_get_topology', {});
    expect(structured).toMatchObject({
      aggregator_url: `${url}/fleet`,
      service_count: 3,
      edge_count: 1,
      entry_points: ['web'],
      isolated: ['lonely'],
      unhealthy: ['orders: 33.3 % of 3 calls failed'],
      notes: ['Without any call to or from others: lonely.'],
    });
    expect((structured['nodes'] as { service: string }[]).map(({ service }) => service)).toEqual([
      'web',
      'orders',
      'lonely',
    ]);
  });

  test('find the aggregator that runs in the workspace, and give it no credentials', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'fw-fleet-'));
    const nameless = { aggregator_url: undefined };
    await expect(run('fw_get_topology', nameless, root)).rejects.toMatchObject({ code: 'FW_TOOLS_LIVE_NOBODY' });
    const entry = new RunningEntry(root, { command: 'dev', profile: 'dev' });
    const addresses = (at: string) => [{ label: 'Application', url: 'http://127.0.0.1:1' }, { label: 'Fleet aggregator', url: at }]; // prettier-ignore
    entry.write({ state: 'running', app: 'shop', addresses: addresses(`${url}/fleet`) });
    const { structured } = await run('fw_get_topology', nameless, root);
    expect(structured).toMatchObject({ aggregator_url: `${url}/fleet`, service_count: 3 });
    await expect(run('fw_get_topology', { ...nameless, password: 'p' }, root)).rejects.toMatchObject({ code: 'FW_TOOLS_LIVE_UNNAMED' }); // prettier-ignore
    entry.write({ state: 'running', app: 'shop', addresses: addresses('http://169.254.169.254/fleet') });
    await expect(run('fw_get_topology', nameless, root)).rejects.toMatchObject({ code: 'FW_TOOLS_LIVE_HOST' });
    entry.remove();
    await rm(root, { recursive: true });
  });

  test('take an address that ends in the base path as it is', async () => {
    await run('fw_get_topology', { aggregator_url: `${url}/fleet/` });
    await run('fw_get_topology', { aggregator_url: `${url}/x`, base_path: '/' }).catch(() => {});
    expect(asked).toEqual(['/fleet/api/topology', '/x/api/topology']);
  });

  test('fw_get_traces asks for traces of one service too, and reads both shapes of an answer [MCP-CATEGORY-FLEET-01]', async () => {
    const { structured } = await run('fw_get_traces', { service: 'web', limit: 3 });
    expect(asked).toEqual(['/fleet/api/traces?service=web&limit=3&min_services=1']);
    expect(structured).toMatchObject({
      count: 1,
      failing: 1,
      slowest_ms: 12,
      has_more: false,
      filters_applied: { service: 'web', limit: 3 },
    });
    answers['/fleet/api/traces'] = { traces: [summary], next_cursor: 'n', has_more: true };
    expect((await run('fw_get_traces', { cursor: 'c' })).structured).toMatchObject({
      next_cursor: 'n',
      has_more: true,
    });
    answers['/fleet/api/traces'] = null;
    expect((await run('fw_get_traces', {})).structured).toMatchObject({
      traces: [],
      notes: [expect.stringMatching(/none was exported yet/)],
    });
  });

  test('fw_get_trace flattens a trace depth-first and points at the root cause', async () => {
    const { structured } = await run('fw_get_trace', { trace_id: TRACE.toUpperCase() });
    expect(
      (structured['spans'] as { service: string; depth: number }[]).map(({ service, depth }) => [service, depth]),
    ).toEqual([
      ['web', 0],
      ['auth', 1],
      ['orders', 1],
    ]);
    expect(structured).toMatchObject({
      root_cause: { service: 'orders', error: 'HTTP 500' },
      slowest_span: { service: 'web' },
      orphan_count: 1,
      spans_dropped: 2,
      notes: [
        expect.stringMatching(/parent that was never received/),
        expect.stringMatching(/dropped/),
        expect.stringMatching(/Clocks differ/),
      ],
    });
  });

  test.each([
    ['b'.repeat(16), /id of a span/],
    ['xyz', /it has 3 characters/],
    ['g'.repeat(32), /Expected 32 hex digits/],
  ])('refuse %s as a trace id without asking', async (trace_id, message) => {
    await expect(run('fw_get_trace', { trace_id })).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });

  test('explain that a trace is not held any more', async () => {
    const gone = await run('fw_get_trace', { trace_id: 'd'.repeat(32) });
    expect(gone).toMatchObject({
      isError: true,
      structured: { error: 'missing', detail: expect.stringMatching(/aged out/) },
    });
  });

  test('fw_get_contract_violations filters and counts, most frequent first, before the limit cuts [MCP-CATEGORY-FLEET-03]', async () => {
    const all = (await run('fw_get_contract_violations', { limit: 1 })).structured;
    expect(all).toMatchObject({
      count: 1,
      total_occurrences: 5,
      by_severity: { Warning: 5 },
      by_service_pair: { 'web -> orders': 5 },
      notes: ['1 more; pass a larger limit.'],
    });
    const filtered = (await run('fw_get_contract_violations', { severity: 'warning', rule: 'requ', service: 'web' }))
      .structured;
    expect(filtered).toMatchObject({ count: 1 });
    expect((await run('fw_get_contract_violations', { service: 'nobody' })).structured).toMatchObject({
      count: 0,
      violations: [],
    });
  });

  test.each([
    [
      'route',
      'a route of the document',
      'a route that it does not have',
      /^web calls \S+, which is no route of the document\./,
    ],
    ['method', 'GET or POST', 'PUT', /^web calls PUT \S+, for which the document has GET or POST\./],
    ['status', '200 or 404', '409', /^orders answers \S+ with status 409, for which the document has 200 or 404\./],
  ])('say what is wrong with a %s in words of its own', async (rule, expected, observed, sentence) => {
    const direction = rule === 'status' ? 'response' : 'request';
    answers['/fleet/api/violations'] = [violation({ rule, expected, observed, direction, path: '' })];
    expect((await run('fw_get_contract_violations', {})).summary).toMatch(sentence);
  });

  test('what an aggregator counts anew after a while is one kind of violation', async () => {
    answers['/fleet/api/violations'] = [violation({ count: 3 }), violation({ count: 2, trace_id: 'c'.repeat(32) })];
    const { summary, structured } = await run('fw_get_contract_violations', {});
    expect(summary).toMatch(/ 1 kind of violation, 5 occurrences$/);
    expect(structured['causes']).toMatchObject([{ occurrences: 5 }]);
    expect(structured).toMatchObject({ count: 2, total_occurrences: 5 });
  });

  test('say what was not checked, so that no violation does not read as none', async () => {
    const givenUp = (service: string, count: number) => ({
      ...{ service, method: 'POST', route: '/orders', direction: 'request', reason: 'takes longer than 5000 ms' },
      ...{ count, last_seen: '1700000000000000000' },
    });
    const unchecked = [givenUp('orders', 3), givenUp('elsewhere', 4)];
    answers['/fleet/api/stats'] = { contracts: { not_checked: unchecked } };
    const all = await run('fw_get_contract_violations', {});
    expect(all.structured).toMatchObject({ not_checked: unchecked, notes: [] });
    expect(all.summary).toMatch(/6 occurrences; 7 not checked$/);
    const one = await run('fw_get_contract_violations', { service: 'elsewhere' });
    expect(one.structured['not_checked']).toEqual([unchecked[1]]);
    const { structured } = await run('fw_explain_incident', { trace_id: TRACE });
    expect(structured['not_checked']).toEqual([unchecked[0]]);
    expect(structured['explanation']).toMatch(/ Not every body of orders was checked\.$/);
  });

  test.each([undefined, { contracts: { off: true } }, {}])(
    'get along with an aggregator whose stats are %j',
    async (stats) => {
      if (stats === undefined) delete answers['/fleet/api/stats'];
      else answers['/fleet/api/stats'] = stats;
      const { structured } = await run('fw_get_contract_violations', {});
      expect(structured).toMatchObject({ count: 2, not_checked: [], notes: { length: stats ? 0 : 1 } });
    },
  );

  test('fw_explain_incident joins trace, blast radius and violations', async () => {
    const { structured } = await run('fw_explain_incident', { trace_id: TRACE });
    expect(structured['explanation']).toBe(
      'The first failure is orders GET /orders with status 500 after 30.0 ms (HTTP 500). 1 other failing span(s) follow from it. ' +
        'The trace has 3 spans in 3 service(s), 50.0 ms. orders fails 40 %. Affected: web. ' +
        'There are 1 contract violation(s) in this trace, and 1 between the same services in other traces.',
    );
    expect(structured).toMatchObject({ affected_services: ['web'], notes: [AT_ITS_ADDRESS] });
    expect(structured['incidents']).toHaveLength(1);
  });

  test('fw_explain_incident names a callee that sent no span of its own', async () => {
    const attributes = { 'server.address': 'pay.example', 'server.port': 443 };
    const call = { kind: 'client', status: 502, error: 'HTTP 502', root_cause: true, duration_ms: 30, attributes };
    const explained = async (more: object) => {
      answers[`/fleet/api/traces/${TRACE}`] = { ...trace, roots: [span('orders', { ...call, ...more })] };
      return (await run('fw_explain_incident', { trace_id: TRACE })).structured;
    };
    const { explanation, notes } = await explained({});
    expect(explanation).toMatch(/^The first failure is orders in its call of pay\.example:443, which sent no span of its own, GET \/orders with status 502/); // prettier-ignore
    expect(notes).toEqual([expect.stringMatching(/^What pay\.example:443 did stands in its own log alone\. Which line of orders/)]); // prettier-ignore
    expect((await explained({ peer_service: 'payments' }))['explanation']).toContain('in its call of payments,');
    expect((await explained({ children: [span('payments', {})] }))['explanation']).not.toContain('in its call of');
  });

  test('answers of long traces show as many spans as they may have', async () => {
    answers[`/fleet/api/traces/${TRACE}`] = { ...trace, roots: Array.from({ length: 200 }, () => span('orders', {})) };
    for (const [name, key] of [
      ['fw_get_trace', undefined],
      ['fw_explain_incident', 'trace'],
    ] as const) {
      // prettier-ignore
      const { structured } = await run(name, { trace_id: TRACE });
      const { spans, notes } = (key ? structured[key] : structured) as { spans: unknown[]; notes: string[] };
      expect(spans.length).toBeLessThan(60);
      expect(notes).toContainEqual(expect.stringMatching(/^\d+ more; .*limit/));
    }
    expect((await run('fw_get_trace', { trace_id: TRACE, limit: 150 })).structured['spans']).toHaveLength(150);
  });

  test('fw_explain_incident names what was thrown, and the call that has the stack', async () => {
    const failed = (attributes: object) =>
      span('orders', { status: 500, error: 'HTTP 500', root_cause: true, duration_ms: 30, attributes });
    const explained = async (attributes: object, root?: string) => {
      answers[`/fleet/api/traces/${TRACE}`] = { ...trace, roots: [failed(attributes)] };
      return (await run('fw_explain_incident', { trace_id: TRACE }, root)).structured;
    };
    expect((await explained({ 'error.type': 'TypeError' }))['explanation']).toMatch(/ms \(HTTP 500, TypeError\)\./);
    for (const attributes of [{ 'error.type': '500' }, { 'error.type': 7 }, {}])
      expect((await explained(attributes))['explanation']).toMatch(/ms \(HTTP 500\)\./);

    const root = await mkdtemp(path.join(tmpdir(), 'fw-fleet-'));
    const entry = new RunningEntry(path.join(root, 'orders'), { command: 'dev', profile: 'dev' });
    const serve = (app: string, at: string) =>
      entry.write({ state: 'running', app, addresses: [{ label: 'Application', url: at }] });
    serve('orders', 'http://127.0.0.1:4103');
    expect((await explained({}, root))['notes']).toEqual([
      'Message, stack and source line of what orders threw: fw_get_recent_errors {"service_url":"http://127.0.0.1:4103"}.',
    ]);
    for (const [app, at] of [
      ['orders', 'http://169.254.169.254'],
      ['other', 'http://127.0.0.1:4103'],
    ] as const) {
      // prettier-ignore
      serve(app, at);
      expect((await explained({}, root))['notes']).toEqual([AT_ITS_ADDRESS]);
    }
    entry.remove();
    await rm(root, { recursive: true });
  });

  test('fw_explain_incident needs the trace only', async () => {
    delete answers['/fleet/api/incidents'];
    delete answers['/fleet/api/violations'];
    const { structured } = await run('fw_explain_incident', { trace_id: TRACE });
    expect(structured).toMatchObject({
      incidents: [],
      related_violations: [],
      notes: [
        AT_ITS_ADDRESS,
        expect.stringMatching(/^incidents could not be read/),
        expect.stringMatching(/^violations could not be read/),
      ],
    });
  });
});
