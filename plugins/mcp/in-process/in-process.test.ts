import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  Capabilities,
  countersEnabled,
  definePlugin,
  disableCounters,
  HttpServer,
  plugin,
  type Tool,
  ToolContribution,
} from '../../../kernel/index.js';
import { bootTestApp, type BootedTestApp, type TestApp } from '../../../kernel/testing/index.js';
import dashboard from '../../dashboard/index.js';
import http from '../../http/index.js';
import mcp, {
  CapFleet,
  CapRuntime,
  McpEndpoint,
  ModeAppRuntime,
  ModeGenerator,
  newScope,
  startInProcess,
  type InProcessConfig,
  type InProcessServer,
} from '../index.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';
import { bearer, connected, streamable } from '../testing/clients.js';

/** The sixteen that need no source tree and change nothing. */
const SIXTEEN = [
  'fw_describe_schema',
  'fw_diagnose_service',
  'fw_explain_idiom',
  'fw_explain_incident',
  'fw_features',
  'fw_get_contract_violations',
  'fw_get_logs',
  'fw_get_performance',
  'fw_get_recent_errors',
  'fw_get_routes',
  'fw_get_topology',
  'fw_get_trace',
  'fw_get_traces',
  'fw_list_examples',
  'fw_query_openapi',
  'fw_simulate_request',
];

beforeAll(() => loadBuiltInTools());

const apps: BootedTestApp[] = [];
const servers: InProcessServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await Promise.all(apps.splice(0).map((app) => app.stop()));
});

async function boot(test: Partial<TestApp> = {}): Promise<BootedTestApp> {
  const app = await bootTestApp({ plugins: [], ...test });
  apps.push(app);
  return app;
}

async function start(config: Partial<InProcessConfig> = {}, app?: BootedTestApp): Promise<InProcessServer> {
  const server = await startInProcess(app ?? (await boot()), { mode: ModeAppRuntime, port: 0, ...config });
  servers.push(server);
  return server;
}

const base = (server: InProcessServer) => server.url.replace(/\/mcp$/, '');

/** One that generates, plans, verifies and provisions each. */
const WORKSPACE_TOOLS = ['fw_routes', 'fw_generate', 'fw_plan_project', 'fw_verify_project', 'provision_service'];

describe('startInProcess', () => {
  test('serves the sixteen tools and names the others as left out [MCP-INPROC-MODE-02] [MCP-INPROC-TOOLS-01] [MCP-INPROC-TOOLS-02] [LIMIT-MCP-TOOLS-02] [MCP-INPROC-SERVE-01] [MCP-INPROC-LIST-01] [MCP-INPROC-LIST-02]', async () => {
    const server = await start();
    expect(server.tools()).toEqual(SIXTEEN);
    expect(server.excludedTools()).toHaveLength(24);
    expect(server.excludedTools()).toEqual(expect.arrayContaining(WORKSPACE_TOOLS));
    server.serve();
    const client = await connected(streamable(base(server), server.token));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(SIXTEEN);
    await client.close();
  });

  test('serves the sixteen in generator mode too, and all of them when it is allowed to [MCP-INPROC-WORKSPACE-01] [MCP-INPROC-LIST-04]', async () => {
    expect((await start({ mode: ModeGenerator })).tools()).toEqual(SIXTEEN);
    const all = await start({ mode: ModeGenerator, allowWorkspaceTools: true });
    expect(all.tools()).toEqual(expect.arrayContaining([...SIXTEEN, ...WORKSPACE_TOOLS]));
    expect(all.tools()).toHaveLength(40);
    expect(all.excludedTools()).toEqual([]);
  });

  test('counts the built-in tools among what the application can do, for as long as it is open', async () => {
    const app = await boot();
    const held = () =>
      app.services
        .get(Capabilities)
        .tools()
        .map(({ tool }) => tool.name);
    expect(held()).toEqual([]);
    const server = await start({}, app);
    expect(held()).toEqual([...server.tools(), ...server.excludedTools()].sort());
    expect(app.services.get(Capabilities).plugin('tools/fleet')).toMatchObject({ category: 'fleet' });
    await server.close();
    expect(held()).toEqual([]);
    await expect(start({ port: -1 }, app)).rejects.toMatchObject({ code: 'FW_MCP_IN_PROCESS' });
    await start({ builtInTools: false }, app);
    expect(held()).toEqual([]);
  });

  test('refuses built-in tools beside one of the same name, and leaves nothing behind', async () => {
    const same = definePlugin({
      id: 'acme-features',
      category: 'introspection',
      description: 'A tool with the name of a built-in one.',
      register: ({ contribute }) => contribute(ToolContribution, () => ({ name: 'fw_features' }) as Tool),
    });
    const app = await boot({ plugins: [same] });
    await expect(start({}, app)).rejects.toMatchObject({ code: 'FW_TOOL_TWICE' });
    expect(app.services.get(Capabilities).tools()).toHaveLength(1);
    expect(app.services.get(Capabilities).plugin('tools/fleet')).toBeUndefined();
  });

  test('makes a token when none is given, and takes the one that is [MCP-INPROC-TOKEN-01] [MCP-INPROC-START-01] [MCP-AUTH-INPROC-01] [MCP-AUTH-INPROC-02]', async () => {
    expect((await start({ token: ' ' })).token).toMatch(/^[0-9a-f]{64}$/);
    const server = await start({ token: ' mine ' });
    expect(server.token).toBe('mine');
    server.serve();
    expect((await fetch(`${base(server)}/mcp/features`)).status).toBe(401);
    expect((await fetch(`${base(server)}/mcp/features`, { headers: bearer('mine') })).status).toBe(200);
    const page = { ...bearer('mine'), origin: 'http://evil.example' };
    expect((await fetch(`${base(server)}/mcp/features`, { headers: page })).status).toBe(403);
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });

  test('narrows the token to a scope [MCP-INPROC-SCOPE-01] [MCP-INPROC-SCOPE-02]', async () => {
    const server = await start({ scope: newScope(CapFleet, CapRuntime), token: 't' });
    server.serve();
    const report = await (await fetch(`${base(server)}/mcp/features`, { headers: bearer('t') })).json();
    expect(report).toMatchObject({ server_kind: 'app-runtime', granted: ['fleet', 'runtime'], scoped: true });
  });

  test('rejects when its port is taken [MCP-INPROC-START-02] [ERR-MCP-PORT]', async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toMatchObject({
      code: 'FW_MCP_PORT_IN_USE',
      message: expect.stringMatching(new RegExp(`127.0.0.1:${port} is already in use`)),
    });
  });

  test.each([
    [{ mode: undefined }, 'FW_MCP_MODE', /Got none. Expected --mode generator/],
    [{ mode: 'both' }, 'FW_MCP_MODE', /Got "both"/],
    [{ port: undefined }, 'FW_MCP_IN_PROCESS', /port is undefined/],
    [{ port: 70_000 }, 'FW_MCP_IN_PROCESS', /port is 70000/],
    [{ allowWorkspaceTools: true }, 'FW_MCP_IN_PROCESS', /allowWorkspaceTools cannot be combined with ModeAppRuntime/],
  ])('refuses %j [MCP-INPROC-MODE-01] [MCP-INPROC-PORT-01] [ERR-MCP-MODE]', async (wrong, code, message) => {
    await expect(start(wrong as never)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('switches counters on', async () => {
    disableCounters();
    await start();
    expect(countersEnabled()).toBe(true);
  });
});

describe('the probe mcp', () => {
  const report = (app: BootedTestApp) => app.diagnostics.get('mcp');

  test('is ok while tools can be reached, and off after the endpoint has closed [DIAG-MCP-01] [MCP-INPROC-LIST-03]', async () => {
    const app = await boot();
    const server = await start({ scope: newScope('runtime') }, app);
    server.serve();
    expect(report(app)).toMatchObject({
      status: 'ok',
      summary: `${server.url}, mode app-runtime, 7 of 16 tool(s) reachable`,
      detail: {
        endpoint: '/mcp',
        mode: 'app-runtime',
        address: `127.0.0.1:${server.port}`,
        tools: 16,
        reachable_tools: 7,
        scoped: true,
        granted_capabilities: ['runtime'],
        withheld_by_scope: expect.arrayContaining(['fw_features']),
        workspace_tools: false,
      },
      notes: [
        expect.stringMatching(/^24 tool\(s\) .* left out: .* process-wide state .* no source tree\.$/),
        expect.stringMatching(/^9 tool\(s\) are withheld by the scope/),
      ],
    });
    expect(JSON.stringify(report(app))).not.toContain(server.token);
    await server.close();
    expect(report(app)).toMatchObject({ status: 'off', summary: expect.stringMatching(/startInProcess opens one/) });
  });

  test('is degraded when nothing can be reached', async () => {
    const app = await boot();
    await start({ scope: newScope('provisioning') }, app);
    expect(report(app)).toMatchObject({
      status: 'degraded',
      notes: expect.arrayContaining(['No tool can be reached with this token.']),
    });
  });

  test('is degraded in generator mode without a source tree, and not with one [DIAG-MCP-02]', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'fw-mcp-'));
    const app = await boot({ root });
    await start({ mode: ModeGenerator }, app);
    expect(report(app)).toMatchObject({
      status: 'degraded',
      notes: expect.arrayContaining([expect.stringMatching(/no source tree/)]),
    });
    await writeFile(path.join(root, 'app.config.ts'), '');
    expect(report(app)).toMatchObject({ status: 'ok' });
    await rm(root, { recursive: true });
  });

  test('is degraded while workspace tools are enabled in production, and says what they are for [DIAG-MCP-03] [MCP-INPROC-WORKSPACE-02]', async () => {
    for (const [profile, status] of [
      ['prod', 'degraded'],
      ['dev', 'ok'],
    ] as const) {
      const app = await boot({ profile });
      await start({ mode: ModeGenerator, allowWorkspaceTools: true }, app);
      expect(report(app)).toMatchObject({ status, detail: { workspace_tools: true } });
      const notes = report(app)?.notes?.join('\n') ?? '';
      expect(/Workspace tools are enabled in production/.test(notes)).toBe(profile === 'prod');
      expect(notes).toContain('meant for development containers that serve no real traffic');
    }
  });
});

describe('plugin mcp', () => {
  const options = { mode: 'app-runtime' as const, port: 0, token: 'plugin-token' };

  test('answers once the application is ready, works against it, and goes before it [MCP-ADDR-10] [MCP-ADDR-13] [MCP-ADDR-14] [MCP-OVERVIEW-05] [DIAG-MCP-04]', async () => {
    const app = await boot({
      profile: 'dev',
      plugins: [plugin(async () => http, { port: 0 }), plugin(async () => dashboard), plugin(async () => mcp, options)],
    });
    const server = app.services.get(McpEndpoint).server as InProcessServer;
    const client = await connected(streamable(base(server), 'plugin-token'));
    const service_url = app.services.get(HttpServer).url;
    const diagnosis = await client.callTool({
      name: 'fw_diagnose_service',
      arguments: { service_url, subsystem: 'mcp' },
    });
    expect(diagnosis.structuredContent).toMatchObject({ subsystem: 'mcp', status: 'ok' });
    const shown = await (await fetch(`${service_url}/dashboard/api/diagnostics?subsystem=mcp`)).json();
    expect({ ...(shown as object), detail: expect.anything() }).toEqual({
      ...(diagnosis.structuredContent as object),
      detail: expect.anything(),
    });
    const post = await client.callTool({
      name: 'fw_simulate_request',
      arguments: { service_url, path: '/', method: 'POST' },
    });
    expect(post).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/this server changes nothing/) }],
    });
    await expect(client.callTool({ name: 'fw_routes' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
    await app.stop();
    await expect(fetch(`${base(server)}/mcp/features`)).rejects.toThrow();
    expect(app.diagnostics.get('mcp')).toMatchObject({ status: 'off' });
  });

  test('ends the boot when its port is taken, and says which', async () => {
    const { port } = await start();
    await expect(boot({ plugins: [plugin(async () => mcp, { ...options, port })] })).rejects.toThrow(
      new RegExp(`127.0.0.1:${port} is already in use`),
    );
  });

  test('wants a mode in its options', async () => {
    await expect(boot({ plugins: [plugin(async () => mcp, { port: 0 } as never)] })).rejects.toMatchObject({
      code: 'FW_CONFIG_OPTIONS',
      message: expect.stringMatching(/mode is required/),
    });
  });
});
