import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bearer } from '../../../plugins/mcp/testing/clients.js';
import { conformanceServer } from '../../../plugins/mcp/testing/conformance/conformance-server.js';
import { tokenProxy, type TokenProxy } from '../../../plugins/mcp/testing/token-proxy.js';
import { type RunningProcess, runProcess, startProcess } from '../../process/index.js';
import { freePort } from '../../testing/free-port.js';
import { PATIENCE_MS } from '../../testing/patience.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FW_MCP = path.join(ROOT, 'dist/plugins/mcp/bin/fw-mcp.js');
const TOKEN = 'a-token-for-clients';
const headers = bearer(TOKEN);

let folder: string;
let proxy: TokenProxy;
let server: RunningProcess;
let url: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-mcp-clients-')));
  proxy = await tokenProxy();
  const origins = `http://localhost:${proxy.port},http://127.0.0.1:${proxy.port}`;
  const args = [FW_MCP, '--mode', 'generator', '--port', String(await freePort()), '--allow-origin', origins];
  server = await startProcess({ command: process.execPath, args, cwd: folder, env: { FW_MCP_TOKEN: TOKEN } });
  [url] = await server.waitForLine(/http:\/\/127\.0\.0\.1:\d+/, { timeoutMs: PATIENCE_MS });
  proxy.forwardTo(url, TOKEN);
});

afterAll(async () => {
  await proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const program = (args: readonly string[], cwd = folder) =>
  runProcess({ command: process.execPath, args, cwd, timeoutMs: PATIENCE_MS, maxOutputBytes: 5_000_000 });

describe('the newest client package, in its automatic mode [MCP-OVERVIEW-04, MCP-ADDR-01, MCP-ADDR-09]', () => {
  const transports = {
    stdio: () =>
      new StdioClientTransport({ command: process.execPath, args: [FW_MCP, '--mode', 'generator'], cwd: folder }),
    'Streamable HTTP': () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    'HTTP+SSE': () => {
      const withToken = (target: string | URL, init?: RequestInit) =>
        fetch(target, { ...init, headers: { ...(init?.headers as object), ...headers } });
      return new SSEClientTransport(new URL(`${url}/sse`), {
        requestInit: { headers },
        eventSourceInit: { fetch: withToken as never },
      });
    },
  };

  test.each(Object.entries(transports))('lists and calls tools over %s', async (_name, transport) => {
    const client = new Client({ name: 'newest', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['fw_features', 'fw_routes']));
    const answer = await client.callTool({ name: 'fw_features', arguments: {} });
    expect(answer).toMatchObject({ structuredContent: { count: expect.any(Number) } });
    await client.close();
  });
});

describe('the command line of the MCP Inspector', () => {
  const inspector = path.join(ROOT, 'node_modules/@modelcontextprotocol/inspector/cli/build/cli.js');
  const token = ['--header', `Authorization: Bearer ${TOKEN}`];
  const servers: Readonly<Record<string, () => string[]>> = {
    stdio: () => [process.execPath, FW_MCP, '--mode=generator'],
    'Streamable HTTP': () => [`${url}/mcp`, '--transport', 'http', ...token],
    'HTTP+SSE': () => [`${url}/sse`, '--transport', 'sse', ...token],
  };

  test.each(Object.entries(servers))('lists and calls tools over %s', async (_name, at) => {
    const run = async (...method: string[]) => {
      const { exitCode, stdout, stderr } = await program([inspector, '--cli', ...at(), '--method', ...method]);
      expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
      return JSON.parse(stdout) as { tools?: { name: string }[]; structuredContent?: object };
    };
    expect((await run('tools/list')).tools?.map(({ name }) => name)).toContain('fw_features');
    const { structuredContent } = await run('tools/call', '--tool-name', 'fw_features');
    expect(structuredContent).toMatchObject({ count: expect.any(Number) });
  });
});

/**
 * The two lines of the suite, each where it can run: the newer one needs `fs.globSync`. The version
 * 2026-07-28 is stateless and knows no `initialize`: fw-mcp does not speak it (SPEC "Versioning", 1).
 */
const SUITES = [
  { name: '0.1', file: '@modelcontextprotocol/conformance/dist/index.js', scenarios: 30, flags: ['--suite', 'all'] },
  {
    name: '0.2',
    file: 'conformance-next/dist/index.js',
    scenarios: 33,
    flags: ['--suite', 'all', '--spec-version', '2025-11-25'],
  },
];
const hasGlob = Number(process.versions.node.split('.')[0]) >= 22;

describe.each(SUITES.filter(({ name }) => (name === '0.2') === hasGlob))(
  'the public conformance suite for servers, line $name',
  ({ file, scenarios, flags }) => {
    const suite = path.join(ROOT, 'node_modules', file);
    const run = async (...args: readonly string[]) => {
      const target = `http://127.0.0.1:${proxy.port}/mcp`;
      const { exitCode, stdout, stderr } = await program([suite, 'server', '--url', target, ...args]);
      return { exitCode, failed: exitCode === 0 ? '' : `${stdout}${stderr}`, stdout };
    };

    test.each([
      'server-initialize',
      'ping',
      'logging-set-level',
      'tools-list',
      'resources-list',
      'prompts-list',
      'server-sse-multiple-streams',
      'dns-rebinding-protection',
    ])('passes %s on fw-mcp', async (name) => {
      proxy.forwardTo(url, TOKEN);
      expect(await run('--scenario', name)).toMatchObject({ exitCode: 0, failed: '' });
    });

    test('passes as a whole on what it asks for by name, behind the same transport code', async () => {
      const fixture = await conformanceServer(TOKEN, proxy.port);
      try {
        proxy.forwardTo(fixture.url, TOKEN);
        const { exitCode, failed, stdout } = await run(...flags);
        expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: '' });
        expect(stdout.match(/^✓ /gm)?.length).toBeGreaterThanOrEqual(scenarios);
      } finally {
        await fixture.close();
      }
    });
  },
);

if (!hasGlob) test.skip('line 0.2 of the conformance suite needs Node 22 or later (fs.globSync)', () => undefined);
