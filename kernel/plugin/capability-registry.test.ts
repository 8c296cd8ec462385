import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { defineTool, type Tool } from '../contracts/tool.js';
import type { PluginCategory, ToolCategory } from '../contracts/category.js';
import { CapabilityRegistry, type RegisteredPlugin } from './capability-registry.js';

const plugin = (id: string, category: PluginCategory): RegisteredPlugin => ({
  id,
  category,
  description: 'test',
  provides: [],
  contributes: [],
  uses: [],
});

const tool = (name: string, category?: ToolCategory): Tool =>
  defineTool({
    name,
    ...(category && { category }),
    description: 'test',
    input: Type.Object({}),
    output: Type.Object({}),
    reach: 'inProcess',
    effects: [],
    run: () => Promise.resolve({ summary: '', structured: {} }),
  });

const of = (owner: RegisteredPlugin, ...tools: readonly Tool[]) =>
  new CapabilityRegistry(
    [owner],
    tools.map((each) => ({ plugin: owner.id, tool: each })),
  );

const code = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error as { readonly code: string; readonly message: string };
  }
  return undefined;
};

describe('the category of a tool', () => {
  test('is that of its plugin, where that is one of the eight', () => {
    expect(of(plugin('acme', 'introspection'), tool('acme_look')).tool('acme_look')?.category).toBe('introspection');
    expect(of(plugin('acme', 'fleet'), tool('acme_look', 'fleet')).tool('acme_look')?.category).toBe('fleet');
  });

  test('is the one that it names, where its plugin is of another kind', () => {
    expect(of(plugin('acme', 'app'), tool('acme_look', 'runtime')).tool('acme_look')?.category).toBe('runtime');
  });

  test('is no other than that of its plugin', () => {
    expect(code(() => of(plugin('acme', 'introspection'), tool('acme_write', 'generation')))).toMatchObject({
      code: 'FW_TOOL_OTHER_CATEGORY',
      message: expect.stringContaining('"generation", but its plugin acme is of category "introspection"'),
    });
  });

  test.each<[Tool, RegExp]>([
    [
      tool('acme_look'),
      /needs one of the eight .* names none, and its plugin is of category "app"\. Expected one of: fleet/,
    ],
    [tool('acme_look', 'billing' as ToolCategory), /it names "billing"/],
  ])('is one of the eight', (wrong, message) => {
    expect(code(() => of(plugin('acme', 'app'), wrong))).toMatchObject({
      code: 'FW_TOOL_CATEGORY',
      message: expect.stringMatching(message),
    });
  });
});

test('a name belongs to one tool', () => {
  expect(code(() => of(plugin('acme', 'runtime'), tool('acme_look'), tool('acme_look')))).toMatchObject({
    code: 'FW_TOOL_TWICE',
  });
});

test('each category holds its plugins in start order and its tools by name, whichever plugin contributes them', () => {
  const plugins = [plugin('web', 'http'), plugin('acme', 'app'), plugin('acme/look', 'runtime')];
  const registry = new CapabilityRegistry(plugins, [
    { plugin: 'acme/look', tool: tool('b_look') },
    { plugin: 'acme', tool: tool('a_look', 'runtime') },
    { plugin: 'acme', tool: tool('a_plan', 'planning') },
  ]);
  const contents = registry.contents().map(({ category, plugins: own, tools }) => ({
    category,
    plugins: own.map(({ id }) => id),
    tools: tools.map((each) => each.tool.name),
  }));
  expect(contents).toEqual([
    { category: 'app', plugins: ['acme'], tools: [] },
    { category: 'http', plugins: ['web'], tools: [] },
    { category: 'planning', plugins: [], tools: ['a_plan'] },
    { category: 'runtime', plugins: ['acme/look'], tools: ['a_look', 'b_look'] },
  ]);
  expect(registry.categories()).toEqual(['planning', 'runtime']);
  expect(registry.plugin('web')?.category).toBe('http');
});
