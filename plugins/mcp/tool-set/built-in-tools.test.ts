import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOOL_CATEGORIES } from '../../../kernel/index.js';
import { roomManifests } from '../../../kernel/manifests/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { newScope } from '../scope/scope.js';
import { CALLER, scopedTools, testPlane } from '../testing/fixture-plane.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';
import { gatherTools, pluginsAt, type ToolSet } from './tool-set.js';

let set: ToolSet;
beforeAll(async () => {
  await loadBuiltInTools();
  set = await gatherTools({ root: '/', log: new RecordingLogger() });
});
afterAll(() => set.stop());

const tools = () => scopedTools(set.registry);
const changing = () => tools().filter(({ effects, heedsReadOnly }) => effects.length > 0 && heedsReadOnly !== true);

describe('the tools that the framework brings along', () => {
  test('are 40, in each of the eight categories [MCP-OVERVIEW-01] [MCP-OVERVIEW-02] [LIMIT-MCP-TOOLS-01]', () => {
    expect(tools()).toHaveLength(40);
    const counted = TOOL_CATEGORIES.map((each) => [each, tools().filter(({ category }) => category === each).length]);
    expect(Object.fromEntries(counted)).toEqual({
      fleet: 5,
      generation: 3,
      introspection: 2,
      knowledge: 7,
      planning: 8,
      provisioning: 4,
      runtime: 7,
      verification: 4,
    });
  });

  test('are joined by those of plugins that the operator names, which run project code, where there are sources', async () => {
    const further = pluginsAt(['fw/tools/workbench'], '/');
    const more = await gatherTools({ root: '/', log: new RecordingLogger(), further });
    const added = scopedTools(more.registry).filter(({ name }) => !tools().some((each) => each.name === name));
    expect(added).toHaveLength(10);
    const writing = { fw_write_migration: { name: 'x' }, fw_install: { packages: ['x'] } };
    for (const { name, category, effects, reach } of added)
      expect({ name, category, effects, reach }).toEqual({ name, category: 'verification', effects: ['runs-project-code', ...(name in writing ? ['writes-files'] : [])], reach: 'workspace' }); // prettier-ignore
    // What writes files of a project asks for the category of the generators beside its own.
    const verifying = testPlane(scopedTools(more.registry), { scope: newScope('verification') });
    for (const [name, given] of Object.entries(writing)) {
      const refused = await verifying.call(name, { path: process.cwd(), ...given }, CALLER);
      expect(refused).toMatchObject({ isError: true, structuredContent: { requires: 'generation' } });
    }
    await more.stop();
    expect(() => pluginsAt(['fw-plugin-that-nobody-has'], '/')).toThrow(
      /names fw-plugin-that-nobody-has, which \/ does not have/,
    );
  });

  test('are those that the manifest of each room names', async () => {
    const rooms = await roomManifests();
    const named = rooms.flatMap(({ owner, manifest }) => (manifest.tools ?? []).map((tool) => `${tool} of ${owner}`));
    const brought = set.registry.tools().map(({ plugin, tool }) => `${tool.name} of plugins/${plugin}`);
    expect(named.sort()).toEqual(brought.sort());
  });

  test('are all served in mode generator, those that change something as well [MCP-MODE-03] [MCP-MODE-05]', () => {
    const { reachable } = testPlane(tools());
    expect(reachable).toEqual(tools().map(({ name }) => name));
    const names = changing().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fw_new', 'fw_generate', 'fw_add', 'fw_commit_change_set']));
    expect(reachable).toEqual(expect.arrayContaining(names));
  });

  test('are the 16 that look at a running process in mode app-runtime [MCP-MODE-04]', () => {
    const { reachable } = testPlane(tools(), { mode: 'app-runtime', workspaceTools: false });
    expect(reachable).toHaveLength(16);
    const served = tools().filter(({ name }) => reachable.includes(name));
    expect(new Set(served.map(({ reach }) => reach))).toEqual(new Set(['inProcess']));
    expect(new Set(served.map(({ category }) => category))).toEqual(
      new Set(['fleet', 'introspection', 'knowledge', 'runtime']),
    );
    expect(reachable.filter((name) => changing().some((each) => each.name === name))).toEqual([]);
  });
});
