import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningFleet, startFleet } from '../../../docs/examples/fleet-shop/running-fleet.js';
import { settingsFrom } from '../../../docs/examples/fleet-shop/settings.js';
import { connected, streamable } from '../../../plugins/mcp/testing/clients.js';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { Address } from '../../contracts/index.js';
import { bootConfig } from '../../testing/boot-config.js';
import type { BootedTestApp } from '../../testing/index.js';
import { until } from '../../testing/until.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW_MCP = path.join(ROOT, 'dist/plugins/mcp/bin/fw-mcp.js');

/** What a tool answers; each test says what it expects of it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- forty shapes, all checked by their output schemas
type Answer = Record<string, any>;

let folder: string;
let agent: Client;

/** Calls a tool and gives its structured result; an error of the tool fails the test with its words. */
async function call(name: string, given: Record<string, unknown> = {}, client = agent): Promise<Answer> {
  const answer = await client.callTool({ name, arguments: given });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent as Answer;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-running-'));
  agent = new Client({ name: 'agent', version: '1.0.0' });
  const args = [FW_MCP, '--mode', 'app-runtime'];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'inherit' }));
});

afterAll(async () => {
  await agent.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the runtime tools on the running reference app [MCP-ADDR-03, MCP-MODE-02]', () => {
  const TOKEN = 'a-token-for-the-endpoint-of-the-shop';
  let shop: BootedTestApp;
  let service_url: string;
  let endpoint: string;

  beforeAll(async () => {
    const database = path.join(folder, 'shop.sqlite');
    Object.assign(process.env, { PORT: '0', MCP_PORT: '0', SHOP_DATABASE: database, FW_MCP_TOKEN: TOKEN });
    const { default: config } = await import('../../../app.config.js');
    await loadBuiltInTools();
    shop = await bootConfig(config, { root: ROOT, profile: 'dev' });
    const addresses = new Map(shop.services.all(Address).map(({ label, url }) => [label, url()]));
    service_url = addresses.get('Application') as string;
    endpoint = (addresses.get('MCP (agents)') as string).replace(/\/mcp$/, '');
    await fetch(`${service_url}/api/products`);
    await fetch(`${service_url}/api/orders`, { method: 'POST', body: '{' });
  });
  afterAll(() => shop?.stop());

  test('fw_simulate_request reads an answer, and sends nothing that could change something', async () => {
    expect(await call('fw_simulate_request', { service_url, path: '/api/products' })).toMatchObject({
      status: 200,
      reading: 'routed',
      json_body: expect.arrayContaining([expect.objectContaining({ sku: 'TEA-001' })]),
    });
    const refused = await agent.callTool({
      name: 'fw_simulate_request',
      arguments: { service_url, path: '/api/orders', method: 'POST', body: '{}' },
    });
    expect(refused.isError).toBe(true);
  });

  test('fw_get_routes, fw_get_recent_errors, fw_get_logs and fw_get_performance see the requests', async () => {
    const { routes } = await call('fw_get_routes', { service_url });
    expect(routes).toContainEqual(
      expect.objectContaining({ method: 'GET', pattern: '/api/products', requests: expect.any(Number) }),
    );
    const errors = await call('fw_get_recent_errors', { service_url });
    expect(JSON.stringify(errors)).toContain('/api/orders');
    const logs = await call('fw_get_logs', { service_url });
    expect(logs['count']).toBeGreaterThan(0);
    const performance = await call('fw_get_performance', { service_url });
    expect(JSON.stringify(performance)).toMatch(/rss|heap/i);
  });

  test('fw_query_openapi finds an operation, and fw_diagnose_service reads every probe', async () => {
    expect(JSON.stringify(await call('fw_query_openapi', { service_url }))).toContain('/api/orders');
    const diagnosis = await call('fw_diagnose_service', { service_url });
    for (const probe of ['router', 'orm', 'docs', 'mcp']) expect(JSON.stringify(diagnosis)).toContain(`"${probe}"`);
  });

  test('the endpoint inside of the app serves the same tools about itself [MCP-ADDR-05, MCP-MODE-08]', async () => {
    const inside = await connected(streamable(endpoint, TOKEN));
    const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(inside)).toEqual(await names(agent));
    const { routes } = await call('fw_get_routes', { service_url }, inside);
    expect(routes).toContainEqual(
      expect.objectContaining({ method: 'GET', pattern: '/api/products', requests: expect.any(Number) }),
    );
    await inside.close();
  });
});

describe('the fleet tools on the running fleet example [MCP-ADDR-07]', () => {
  let fleet: RunningFleet;
  let read: { aggregator_url: string; username: string; password: string };
  const order = (id: number) => fetch(`${fleet.urls.gateway}/api/orders/${id}`);

  beforeAll(async () => {
    fleet = await startFleet();
    const { username, password } = settingsFrom({});
    read = { aggregator_url: fleet.urls.fleet, username, password };
    await order(1);
    await fetch(`${fleet.urls.orders}/chaos/fail`, { method: 'POST' });
    for (let id = 500; id < 512; id++) await order(id);
  });
  afterAll(() => fleet.stop());

  /** Calls again until the spans of all services are in. */
  const eventually = (ask: () => Promise<Answer>, isThere: (answer: Answer) => boolean): Promise<Answer> =>
    until(async () => {
      const answer = await ask();
      return isThere(answer) && answer;
    }, 'span of every service');

  async function failingTrace(): Promise<Answer> {
    const { traces } = await eventually(
      () => call('fw_get_traces', { ...read, status: 'error', min_services: 3 }),
      (answer) => answer['count'] > 0,
    );
    return call('fw_get_trace', { ...read, trace_id: traces[0].trace_id });
  }

  test('fw_get_traces and fw_get_trace find a failure and its one root cause', async () => {
    const trace = await failingTrace();
    expect(trace).toMatchObject({ has_error: true, root_cause: { service: 'orders-service' } });
    expect(trace['services']).toEqual(expect.arrayContaining(['gateway', 'auth-service', 'orders-service']));
  });

  test('fw_get_topology shows who calls whom', async () => {
    const { edges, entry_points } = await call('fw_get_topology', read);
    expect(edges).toContainEqual(expect.objectContaining({ caller: 'auth-service', callee: 'orders-service' }));
    expect(entry_points).toEqual(['gateway']);
  });

  test('fw_explain_incident tells the cause and who is affected', async () => {
    const { trace_id } = await failingTrace();
    const { explanation, affected_services } = await eventually(
      () => call('fw_explain_incident', { ...read, trace_id }),
      // Services send their spans by themselves, so that the incident sees those affected one after the other.
      (answer) => answer['affected_services'].length > 1,
    );
    expect(explanation).toContain('orders-service');
    expect(affected_services).toEqual(['auth-service', 'gateway']);
  });

  test('fw_get_contract_violations reads what the aggregator found', async () => {
    // They are checked beside what takes spans in.
    const { violations, count } = await eventually(
      () => call('fw_get_contract_violations', { ...read, detail: true }),
      (answer) => answer['count'] > 0,
    );
    expect(count).toBe(violations.length);
    expect(violations).toContainEqual(expect.objectContaining({ callee: 'orders-service' }));
  });
});
