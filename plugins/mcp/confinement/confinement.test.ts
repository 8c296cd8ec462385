import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Logger, Tool } from '../../../kernel/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { CALLER, scopedTools, testPlane } from '../testing/fixture-plane.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';
import { gatherTools, type ToolSet } from '../tool-set/tool-set.js';
import { pathPolicy } from './workspace-roots.js';

let root: string;
let outside: string;
let tools: ToolSet;

beforeAll(async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-confinement-')));
  root = path.join(folder, 'root');
  outside = path.join(folder, 'outside');
  await mkdir(path.join(root, 'inside'), { recursive: true });
  await mkdir(outside);
  await writeFile(path.join(outside, 'secret'), 'hunter2');
  await symlink(outside, path.join(root, 'link'));
  await symlink(path.join(outside, 'secret'), path.join(root, 'file-link'));
  await symlink(path.join(outside, 'not-yet'), path.join(root, 'dangling'));
  await symlink(path.join(root, 'inside'), path.join(root, 'inner-link'));
  await loadBuiltInTools();
  tools = await gatherTools({ root, log: new RecordingLogger() as Logger });
});
afterAll(async () => {
  await tools.stop();
  await rm(path.dirname(root), { recursive: true });
});

const ESCAPES: readonly [string, () => string][] = [
  ['an absolute path', () => outside],
  ['a climb', () => '../outside'],
  ['a climb from within', () => 'inside/../../outside'],
  ['a climb by an absolute path', () => path.join(root, '..', 'outside')],
  ['a name that only begins like the root', () => `${root}-evil`],
  ['a symbolic link', () => 'link'],
  ['a symbolic link to a file', () => 'file-link'],
  ['something below a symbolic link', () => 'link/secret'],
  ['something that does not exist yet, below a symbolic link', () => 'link/new/project'],
  ['a symbolic link to nothing', () => 'dangling'],
  ['a NUL character', () => 'inside\0/../../outside'],
  ['a network share', () => '\\\\server\\share'],
  ['a file: URL', () => pathToFileURL(outside).href],
  ['a home directory', () => '~/.ssh'],
  ['the root in another case', () => root.toUpperCase()],
  ['the file system itself', () => '/'],
];

/** Arguments that get a call past the check of its schema. */
function sampleInput({ input }: Tool): Record<string, unknown> {
  const required = (input.required ?? []) as string[];
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(input.properties[name] as { type?: string; enum?: unknown[] })]),
  );
}

function sampleOf({ type, enum: values }: { type?: string; enum?: unknown[] }): unknown {
  if (values) return values[0];
  const samples: Record<string, unknown> = { string: 'x', integer: 1, number: 1, boolean: true, array: [], object: {} };
  return samples[type ?? 'object'];
}

/** Each path argument of each built-in tool, with a plane in which the tool only notes that it ran. */
async function pathArguments() {
  const policy = await pathPolicy([root], root);
  return scopedTools(tools.registry).flatMap((tool) =>
    (tool.paths ?? []).map((argument) => {
      const ran: unknown[] = [];
      const spy: Tool = { ...tool, run: async (input) => (ran.push(input), { summary: '', structured: {} as never }) };
      const plane = testPlane([spy], { paths: policy });
      const call = (value: unknown) =>
        plane.call(tool.name, { ...sampleInput(tool), [argument as string]: value }, CALLER);
      return { name: `${tool.name}.${argument as string}`, argument: argument as string, call, ran };
    }),
  );
}

describe('every path argument of every tool', () => {
  test.each(ESCAPES)(
    'refuses %s [MCP-PATH-01] [MCP-PATH-02] [MCP-PATH-03] [MCP-PATH-04] [ERR-MCP-PATH]',
    async (_, escape) => {
      const all = await pathArguments();
      expect(all.length).toBeGreaterThan(0);
      for (const { name, call, ran } of all) {
        const result = await call(escape());
        expect([name, result.isError, ran]).toEqual([name, true, []]);
        expect(result.content[0]?.text).not.toContain('hunter2');
      }
    },
  );

  test('takes what is inside: existing, not existing yet, or through a link that stays inside [MCP-PATH-07]', async () => {
    const inside: readonly [string, string][] = [
      ['inside', path.join(root, 'inside')],
      [' ./inside/ ', path.join(root, 'inside')],
      ['new/project', path.join(root, 'new/project')],
      ['inner-link', path.join(root, 'inside')],
      ['link/../inside', path.join(root, 'inside')],
      [root, root],
      ['', root],
    ];
    for (const { name, argument, call, ran } of await pathArguments()) {
      for (const [given, resolved] of inside) {
        const result = await call(given);
        expect([name, given, result.isError, (ran.pop() as Record<string, unknown>)[argument]]).toEqual([
          name,
          given,
          undefined,
          resolved,
        ]);
      }
    }
  });
});

describe('pathPolicy', () => {
  test('starts from the current folder where that is permitted, else from the first root', async () => {
    const inside = path.join(root, 'inside');
    expect((await pathPolicy([root], inside)).workspace).toBe(inside);
    expect((await pathPolicy([inside], root)).workspace).toBe(inside);
    expect((await pathPolicy([outside, inside], root)).workspace).toBe(outside);
  });

  test('resolves links of the root as well as of the path before it compares them [MCP-PATH-05]', async () => {
    const alias = path.join(outside, 'alias');
    await symlink(root, alias);
    const policy = await pathPolicy([alias], outside);
    expect(policy.workspace).toBe(root);
    expect(await policy.confine('inside')).toBe(path.join(root, 'inside'));
    expect(await policy.confine(path.join(root, 'inside'))).toBe(path.join(root, 'inside'));
    await expect(policy.confine('link')).rejects.toMatchObject({ code: 'FW_PATH_SYMLINK' });
  });

  test('confines nothing when it is told so, but still resolves [MCP-FLAG-ANYPATH-01]', async () => {
    const policy = await pathPolicy(undefined, root);
    expect(policy.roots).toBeUndefined();
    expect(await policy.confine('link/secret')).toBe(path.join(outside, 'secret'));
  });

  test('refuses a root that is not an existing folder', async () => {
    await expect(pathPolicy(['nowhere'], root)).rejects.toMatchObject({ code: 'FW_PATH_ROOTS' });
    await expect(pathPolicy([path.join(outside, 'secret')], root)).rejects.toThrow(/not a directory/);
  });
});
