import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  AppInfo,
  Capabilities,
  definePlugin,
  defineTool,
  plugin,
  type PluginCategory,
  type ToolCategory,
  ToolContribution,
  Type,
} from '../../../kernel/index.js';
import { ToolCallObserver } from '../../../kernel/contracts/tool-calls.js';
import { bootTestApp, type BootedTestApp } from '../../../kernel/testing/index.js';
import dashboard from '../../dashboard/index.js';
import http from '../../http/index.js';
import mcp, { McpEndpoint } from '../index.js';
import { bearer, connected, streamable } from '../testing/clients.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';

beforeAll(() => loadBuiltInTools());

let app: BootedTestApp | undefined;
let client: Client | undefined;
afterEach(async () => {
  await client?.close();
  await app?.stop();
  app = client = undefined;
});

const stranger = (id: string, category: PluginCategory, tool: string, named?: ToolCategory) =>
  definePlugin({
    id,
    category,
    description: 'Tools of a third party.',
    register: ({ contribute }) =>
      contribute(ToolContribution, (services) =>
        defineTool({
          name: tool,
          ...(named && { category: named }),
          description: 'Say the name of the application.',
          input: Type.Object({}),
          output: Type.Object({ app: Type.String() }),
          reach: 'inProcess',
          effects: [],
          run: () => {
            const { name } = services.get(AppInfo);
            return Promise.resolve({ summary: name, structured: { app: name } });
          },
        }),
      ),
  });

const look = stranger('acme-look', 'introspection', 'acme_look');
const sales = stranger('acme-sales', 'app', 'acme_sales', 'runtime');

interface Options {
  readonly scope?: ToolCategory[];
  readonly builtInTools?: boolean;
}

async function boot(options: Options = {}, plugins: readonly (typeof look)[] = [look, sales]): Promise<BootedTestApp> {
  const given = { mode: 'app-runtime' as const, port: 0, token: 't', ...options };
  app = await bootTestApp({
    plugins: [
      plugin(async () => http, { port: 0 }),
      plugin(async () => dashboard),
      plugin(async () => mcp, given),
      ...plugins,
    ],
  });
  client = await connected(streamable(base(app), 't'));
  return app;
}

const base = ({ services }: BootedTestApp) => services.get(McpEndpoint).server?.url.replace(/\/mcp$/, '') ?? '';
const listed = async () => ((await client?.listTools())?.tools ?? []).map(({ name }) => name);

describe('a tool plugin of a third party, in an application with the MCP endpoint', () => {
  test('is scoped by its category: listed, granted and shown', async () => {
    const running = await boot({ scope: ['introspection'] });
    expect(await listed()).toEqual(['acme_look', 'fw_features']);
    expect((await client?.callTool({ name: 'acme_look' }))?.structuredContent).toEqual({ app: 'test' });
    const features = await fetch(`${base(running)}/mcp/features`, { headers: bearer('t') });
    const { categories } = (await features.json()) as { readonly categories: readonly { category: string }[] };
    expect(categories).toEqual(
      expect.arrayContaining([
        {
          category: 'introspection',
          granted: true,
          plugins: ['acme-look', 'tools/introspection'],
          tools: ['acme_look', 'fw_features'],
        },
        expect.objectContaining({
          category: 'runtime',
          granted: false,
          plugins: ['acme-sales', 'tools/runtime'],
          tools: expect.arrayContaining(['acme_sales', 'fw_get_logs']),
        }),
      ]),
    );
    const told = await client?.callTool({ name: 'fw_features', arguments: {} });
    expect((told?.structuredContent as typeof told & { categories: unknown })?.categories).toEqual(categories);
  });

  test('answers whatever observers of calls throw, and the others see each call', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const seen: string[] = [];
    const broken = () => {
      throw new TypeError('the disk is full');
    };
    const watching = definePlugin({
      id: 'acme-audit',
      category: 'app',
      description: 'Watches calls.',
      register: ({ contribute }) => {
        contribute(ToolCallObserver, () => ({ observe: broken }));
        contribute(ToolCallObserver, () => ({ observe: ({ tool, outcome }) => void seen.push(`${tool} ${outcome}`) }));
      },
    });
    await boot({}, [look, watching]);
    for (const name of ['acme_look', 'acme_look'])
      expect((await client?.callTool({ name }))?.structuredContent).toEqual({ app: 'test' });
    expect(seen).toEqual(['acme_look ok', 'acme_look ok']);
    expect(warnings.mock.calls).toEqual([
      ['`a ToolCallObserver` failed: the disk is full', expect.objectContaining({ code: 'FW_CALLBACK_FAILED' })],
    ]);
    warnings.mockRestore();
  });

  test('is refused beyond the scope, with the category that it needs', async () => {
    await boot({ scope: ['runtime'] });
    expect(await listed()).toContain('acme_sales');
    expect(await client?.callTool({ name: 'acme_look' })).toMatchObject({
      isError: true,
      structuredContent: { tool: 'acme_look', refused: true, requires: 'introspection', granted: ['runtime'] },
    });
  });

  test('stands in the registry and in the boot report, beside the plugins that the endpoint brings along', async () => {
    const running = await boot();
    const registry = running.services.get(Capabilities);
    expect(registry.tools()).toHaveLength(42);
    expect(registry.plugin('tools/fleet')).toMatchObject({ category: 'fleet', broughtBy: 'mcp' });
    expect(registry.plugin('acme-look')).toMatchObject({ broughtBy: undefined, contributes: ['fw.Tool'] });
    const { plugins } = running.report();
    expect(plugins).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'acme-look', category: 'introspection', state: 'ready', tools: ['acme_look'] }),
        expect.objectContaining({ id: 'tools/introspection', broughtBy: 'mcp', tools: ['fw_features', 'fw_routes'] }),
      ]),
    );
  });

  test('is all that is there when the built-in tools are not wanted', async () => {
    const running = await boot({ builtInTools: false });
    expect(await listed()).toEqual(['acme_look', 'acme_sales']);
    expect(running.report().plugins.map(({ id }) => id)).toEqual([
      'http',
      'dashboard',
      'mcp',
      'acme-look',
      'acme-sales',
    ]);
  });

  test('ends the boot when one of its tools belongs to another category, or to none', async () => {
    await expect(boot({}, [stranger('acme', 'introspection', 'acme_write', 'generation')])).rejects.toMatchObject({
      code: 'FW_TOOL_OTHER_CATEGORY',
    });
    await expect(boot({}, [stranger('acme', 'app', 'acme_write')])).rejects.toMatchObject({ code: 'FW_TOOL_CATEGORY' });
  });
});
