import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { TOOL_CATEGORIES, type ToolCategory, type ToolEffect } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { pathPolicy } from '../confinement/workspace-roots.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { newScope } from '../scope/scope.js';
import { CALLER, scopedTools, testPlane } from '../testing/fixture-plane.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';
import { gatherTools, type ToolSet } from './tool-set.js';

let set: ToolSet;
let project: ScratchProject;
beforeAll(async () => {
  await loadBuiltInTools();
  set = await gatherTools({ root: '/', log: new RecordingLogger() });
});
afterAll(() => set.stop());
beforeEach(async () => {
  project = await scratchProject('minimal');
});
afterEach(() => project.remove());

const tools = () => scopedTools(set.registry);

/** Planes over the same tools, and so over the same change sets, each with a credential of its own. */
async function planeFor(...categories: readonly ToolCategory[]): Promise<ControlPlane> {
  return testPlane(tools(), { scope: newScope(...categories), paths: await pathPolicy([project.root], project.root) });
}

async function treeOf(): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(project.root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)),
  );
}

async function begun(plane: ControlPlane): Promise<string> {
  return String((await plane.call('fw_begin_change_set', {}, CALLER)).structuredContent?.['id']);
}

const stage = (plane: ControlPlane, id: string, tool: string, given: object) =>
  plane.call('fw_stage_call', { change_set: id, tool, arguments: given }, CALLER);

const HANDLER = { kind: 'handler', name: 'Ping' };

describe('a credential of one category', () => {
  test('is refused every tool of another one, with the category that it needs', async () => {
    for (const scope of TOOL_CATEGORIES) {
      const plane = await planeFor(scope);
      for (const { name, category } of tools()) {
        if (category === scope) continue;
        const { isError, structuredContent } = await plane.call(name, {}, CALLER);
        const expected = { tool: name, refused: true, requires: category, granted: [scope], retry_will_succeed: false };
        expect({ isError, structuredContent }).toMatchObject({ isError: true, structuredContent: expected });
      }
    }
  });

  test('reaches no other category by staging: each of the 40 tools, under each of the eight', async () => {
    const before = await treeOf();
    const id = await begun(await planeFor('planning'));
    for (const scope of TOOL_CATEGORIES) {
      const plane = await planeFor(scope);
      for (const { name, category } of tools()) {
        const { isError, structuredContent } = await stage(
          plane,
          id,
          name,
          name === 'fw_add' ? { feature: 'cors' } : HANDLER,
        );
        expect(isError).toBe(true);
        const isStageable = ['fw_generate', 'fw_add'].includes(name);
        if (scope !== 'planning')
          expect(structuredContent).toMatchObject({ tool: 'fw_stage_call', refused: true, requires: 'planning' });
        else if (isStageable)
          expect(structuredContent).toMatchObject({ tool: name, refused: true, requires: category, granted: [scope] });
      }
    }
    const commit = await (await planeFor('planning')).call('fw_commit_change_set', { change_set: id }, CALLER);
    expect(commit.structuredContent).toMatchObject({ applied: [] });
    expect(await treeOf()).toEqual(before);
  });

  test('does not commit what another credential has staged', async () => {
    const both = await planeFor('planning', 'generation');
    const id = await begun(both);
    expect((await stage(both, id, 'fw_generate', HANDLER)).isError).toBeUndefined();
    const before = await treeOf();
    const refused = await (await planeFor('planning')).call('fw_commit_change_set', { change_set: id }, CALLER);
    expect(refused).toMatchObject({ isError: true, structuredContent: { tool: 'fw_generate', refused: true, requires: 'generation' } }); // prettier-ignore
    expect(await treeOf()).toEqual(before);
    expect((await both.call('fw_commit_change_set', { change_set: id }, CALLER)).isError).toBeUndefined();
    expect(Object.keys(await treeOf()).length).toBeGreaterThan(Object.keys(before).length);
  });

  // Who writes a tool that changes something decides here which category it belongs to.
  test('has effects of its own kind only', () => {
    const effects = new Map<ToolCategory, Set<ToolEffect>>();
    for (const { category, effects: own } of tools())
      effects.set(category, new Set([...(effects.get(category) ?? []), ...own]));
    expect(Object.fromEntries([...effects].map(([category, own]) => [category, [...own].sort()]))).toEqual({
      ...{ fleet: [], introspection: [], generation: ['writes-files'], runtime: ['sends-requests'] },
      ...{ verification: ['runs-project-code'], provisioning: ['containers'] },
      // Change sets, whose calls are permitted one by one; llms.txt and llms-full.txt, which are knowledge.
      ...{ planning: ['writes-files'], knowledge: ['writes-files'] },
    });
  });
});

describe('a staged call', () => {
  test.each([
    ['fw_generate', HANDLER],
    ['fw_add', { feature: 'cors' }],
  ])('of %s is checked exactly as a direct one, whatever its arguments are', async (tool, right) => {
    const plane = await planeFor('planning', 'generation');
    const id = await begun(plane);
    const names = fc.constantFrom(
      'kind',
      'name',
      'fields',
      'flags',
      'feature',
      'fieldz',
      'Kind',
      'force',
      '__proto__',
      'constructor',
    );
    const values = fc.constantFrom<unknown>(1, null, true, [], [1], {}, { flag: {} }, 'x'.repeat(10));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, values, { minKeys: 1 }), fc.boolean(), async (given, isOver) => {
        const call = isOver ? { ...right, ...given } : given;
        const direct = await plane.call(tool, { ...call, dir: '/nowhere' }, CALLER);
        const refusal = direct.content[0]?.text ?? '';
        fc.pre(refusal.startsWith('arguments:'));
        expect((await stage(plane, id, tool, call)).content[0]?.text).toBe(refusal);
      }),
      { numRuns: 60 },
    );
    const unknown = await stage(plane, id, tool, { ...right, fieldz: ['a:string'] });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('fieldz is not known here') }],
    });
  });
});
