import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { sizeProblems } from '../../../plugins/mcp/testing/answer-size.js';
import { type RunningProcess, runProcess, startProcess } from '../../process/index.js';
import { until } from '../../testing/until.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW = path.join(ROOT, 'dist/kernel/bin/fw.js');
const FW_MCP = path.join(ROOT, 'dist/plugins/mcp/bin/fw-mcp.js');

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

let folder: string;
let shop: RunningProcess;
let url: string;
let client: Client;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fw-answers-'));
  const options = { command: process.execPath, cwd: ROOT };
  const built = { ...options, args: [FW, 'build', '--no-check'], timeoutMs: PATIENCE_MS, maxOutputBytes: 1_000_000 };
  expect(await runProcess(built)).toMatchObject({ exitCode: 0 });
  const env = { PORT: '0', MCP_PORT: '0', SHOP_DATABASE: ':memory:' };
  shop = await startProcess({ ...options, args: [FW, 'start', '--profile', 'dev'], env });
  [url] = await shop.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
  client = new Client({ name: 'test', version: '1.0.0' });
  const args = [FW_MCP, '--mode', 'generator'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: ROOT, stderr: 'ignore' }));
});
afterAll(async () => {
  await client.close();
  await shop.stop({ graceMs: 10_000 });
  await rm(folder, { recursive: true, force: true });
});

async function traffic(): Promise<void> {
  const paths = ['/api/products', '/api/orders', '/api/orders/999999', '/api/customers', '/nowhere', '/api/admin/x'];
  for (let nth = 0; nth < 60; nth++) await fetch(`${url}${paths[nth % paths.length] as string}?n=${nth}`);
}

// Spans are sent in batches: they are there after a while.
async function newestTrace(fleet: object): Promise<string> {
  let id: string | undefined;
  await until(async () => {
    const { traces } = (await call('fw_get_traces', fleet)).structuredContent as { traces: { trace_id: string }[] };
    id = traces[0]?.trace_id;
    return id !== undefined;
  }, 'trace of the traffic');
  return id as string;
}

const call = async (name: string, given: object) =>
  (await client.callTool({ name, arguments: { ...given } }, undefined, { timeout: 120_000 })) as unknown as Answer;

/** Tools that start builds, tests or containers, or write: their answers are measured where they are tested. */
const ELSEWHERE = [
  ...['fw_new', 'fw_generate', 'fw_add', 'fw_verify_project', 'fw_run_benchmarks', 'fw_get_test_coverage'],
  ...['fw_stage_call', 'fw_commit_change_set', 'fw_discard_change_set'],
  ...['provision_service', 'provision_fleet', 'deprovision_service', 'list_provisioned_services'],
];

test('an answer that nobody asked to be long has at most 1,500 tokens, and no more words than its data', async () => {
  await traffic();
  const service = { service_url: url };
  const fleet = { aggregator_url: `${url}/fleet` };
  const trace = { ...fleet, trace_id: await newestTrace(fleet) };
  const calls: Readonly<Record<string, object>> = {
    ...{ fw_get_routes: service, fw_get_performance: service, fw_get_recent_errors: service, fw_get_logs: service },
    ...{ fw_query_openapi: service, fw_diagnose_service: service },
    fw_simulate_request: { ...service, path: '/api/products' },
    ...{ fw_get_topology: fleet, fw_get_traces: fleet, fw_get_contract_violations: fleet },
    ...{ fw_get_trace: trace, fw_explain_incident: trace },
    fw_search_llms_txt: { query: 'soft delete' },
  };
  const { tools } = await client.listTools();
  const wrong: string[] = [];
  for (const { name } of tools.filter((each) => !ELSEWHERE.includes(each.name))) {
    const answer = await call(name, calls[name] ?? {});
    if (answer.isError) wrong.push(`${name} failed: ${answer.content[0]?.text.slice(0, 200)}`);
    wrong.push(...sizeProblems(name, answer));
  }
  expect(wrong).toEqual([]);
}, 300_000);
