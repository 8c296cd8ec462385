import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { sizeProblems } from '../../../plugins/mcp/testing/answer-size.js';
import { gatherTools, type ToolSet } from '../../../plugins/mcp/tool-set/tool-set.js';
import { loadBuiltInTools } from '../../../plugins/mcp/testing/load-built-in-tools.js';
import { isPidTaken } from '../../fs/index.js';
import { type Tool, validatorOf } from '../../index.js';
import { RecordingLogger } from '../../testing/index.js';
import { until } from '../../testing/until.js';

const BIN = path.resolve(import.meta.dirname, '../../../dist/plugins/mcp/bin/fw-mcp.js');
const CALL_MS = 120_000;
const shop = 'shop';

let folder: string;
let client: Client;
let set: ToolSet;
let project: ScratchProject;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-workspace-')));
  await mkdir(path.join(folder, 'checked'));
  const files = {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test', bench: 'node sum.bench.js' } }),
    'sum.js': 'export const sum = (a, b) => a + b;\nexport function never() {\n  return 0;\n}\n',
    'sum.test.js':
      "import { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('adds', () => { if (sum(1, 1) !== 2) throw new Error('no'); });\n",
    'sum.bench.js': "console.log(JSON.stringify({ name: 'sum', ns_per_op: 3 }));\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'checked', name), text);
  project = await scratchProject('api');
  await rename(project.root, path.join(folder, shop));
  await loadBuiltInTools();
  set = await gatherTools({ root: folder, log: new RecordingLogger() });
  client = new Client({ name: 'test', version: '1.0.0' });
  const args = [BIN, '--mode', 'generator'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: 'ignore' }));
});
afterAll(async () => {
  await client.close();
  await set.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

// An answer that fits the schema that the tool declares for it.
async function call(name: string, input: object): Promise<Answer> {
  const answer = (await client.callTool({ name, arguments: { ...input } }, undefined, {
    timeout: CALL_MS,
  })) as unknown as Answer;
  if (answer.isError === undefined) {
    const { output } = set.registry.tool(name)?.tool as Tool;
    expect(sizeProblems(name, answer)).toEqual([]);
    expect([name, validatorOf(output).check(structuredClone(answer.structuredContent))]).toEqual([name, []]);
  }
  return answer;
}

interface Step {
  readonly tool: string;
  /** Given what the step before it answered. */
  readonly input: (before: Readonly<Record<string, unknown>>) => object;
  readonly answers: object;
  /** What the text tells a model: what happened, what to call next. */
  readonly tells: RegExp;
}

const config = { docs: { title: 'Shop' }, models: [{ name: 'Order', fields: [{ name: 'note', type: 'string' }] }] };
const product = { kind: 'resource', name: 'Product', fields: ['title:string'] };
const id = (before: Readonly<Record<string, unknown>>) => ({ change_set: before['change_set'] ?? before['id'] });

// Made for real, on a packed framework, by toolchain.test.ts.
const ELSEWHERE = new Set(['fw_new']);

// Every other workspace tool, as an agent would call them one after another. Containers have tests of their own.
const STEPS: readonly Step[] = [
  {
    tool: 'fw_plan_project',
    input: () => ({ name: shop, config }),
    answers: { valid: true, wrote_to_disk: false },
    tells: /Call fw_new with the same arguments/,
  },
  {
    tool: 'fw_generate',
    input: () => ({ ...product, dir: shop }),
    answers: { files: expect.arrayContaining([expect.objectContaining({ path: 'app/routes/products.ts' })]) },
    tells: /products/,
  },
  {
    tool: 'fw_add',
    input: () => ({ feature: 'cors', dir: shop }),
    answers: { files: expect.arrayContaining([expect.objectContaining({ path: 'app.config.ts' })]) },
    tells: /cors/,
  },
  { tool: 'fw_routes', input: () => ({ dir: shop }), answers: { count: 7 }, tells: /GET +\/api\/products/ },
  {
    tool: 'fw_explain_project',
    input: () => ({ path: shop }),
    answers: { models: [{ name: 'Product' }] },
    tells: /fw_generate and fw_add/,
  },
  {
    tool: 'fw_diff_config',
    input: () => ({ existing_path: shop, config }),
    answers: { valid: true, wrote_to_disk: false },
    tells: /fw_begin_change_set/,
  },
  {
    tool: 'fw_begin_change_set',
    input: () => ({ project_path: shop }),
    answers: { staged: [] },
    tells: /fw_stage_call/,
  },
  {
    tool: 'fw_stage_call',
    input: (before) => ({ ...id(before), tool: 'fw_add', arguments: { feature: 'etag' } }),
    answers: { applied_to_project: false },
    tells: /fw_commit_change_set/,
  },
  { tool: 'fw_discard_change_set', input: id, answers: { files_written: 0 }, tells: /discarded/i },
  {
    tool: 'fw_begin_change_set',
    input: () => ({ project_path: shop }),
    answers: { staged: [] },
    tells: /fw_stage_call/,
  },
  {
    tool: 'fw_stage_call',
    input: (before) => ({ ...id(before), tool: 'fw_add', arguments: { feature: 'etag' } }),
    answers: { staged_count: 1 },
    tells: /fw_commit_change_set/,
  },
  {
    tool: 'fw_commit_change_set',
    input: id,
    answers: { applied: expect.arrayContaining([expect.objectContaining({ path: 'app.config.ts' })]) },
    tells: /app\.config\.ts|file/,
  },
  { tool: 'fw_get_change_history', input: () => ({ project_path: shop }), answers: { count: 1 }, tells: /fw_add|1/ },
  {
    tool: 'fw_generate_llms_txt',
    input: () => ({ path: shop, write: true }),
    answers: { routes: 7, models: 1 },
    tells: /fw_check_llms_txt_freshness/,
  },
  { tool: 'fw_check_llms_txt_freshness', input: () => ({ path: shop }), answers: { fresh: true }, tells: /^Fresh/ },
  {
    tool: 'fw_search_llms_txt',
    input: () => ({ path: shop, query: 'title' }),
    answers: { source: 'the documentation of fw, and llms-full.txt' },
    tells: /See also/,
  },
  {
    tool: 'fw_suggest_next_steps',
    input: () => ({ path: shop }),
    answers: { suggestions: expect.arrayContaining([expect.objectContaining({ kind: 'write-without-auth' })]) },
    tells: /Call fw_add \{"feature":"jwt"/,
  },
  { tool: 'fw_check_idioms', input: () => ({ path: shop }), answers: { findings: [] }, tells: /fw_verify_project/ },
  {
    tool: 'fw_verify_project',
    input: () => ({ path: 'checked' }),
    answers: { ok: true, counts: { test_failures: 0 } },
    tells: /^Green: .* fw_get_test_coverage/,
  },
  {
    tool: 'fw_get_test_coverage',
    input: () => ({ path: 'checked' }),
    answers: { tests_passed: true, least_covered: ['sum.js'] },
    tells: /Least: sum\.js .* write a test/,
  },
  {
    tool: 'fw_run_benchmarks',
    input: () => ({ path: 'checked' }),
    answers: { count: 1, fastest: 'sum' },
    tells: /1 benchmark/,
  },
];

describe('every workspace tool, called by the official client', () => {
  test(
    'answers what its output schema says, what to do next, and changes the project [MCP-ADDR-12, MCP-MODE-01, MCP-MODE-07]',
    async () => {
      let before: Readonly<Record<string, unknown>> = {};
      for (const { tool, input, answers, tells } of STEPS) {
        const { isError, structuredContent, content } = await call(tool, input(before));
        const [{ text } = { text: '' }] = content;
        expect({ tool, isError, text: isError ? text : '' }).toEqual({ tool, isError: undefined, text: '' });
        expect({ tool, ...structuredContent }).toMatchObject({ tool, ...answers });
        expect({ tool, text }).toEqual({ tool, text: expect.stringMatching(tells) });
        before = structuredContent;
      }
      const written = await readFile(path.join(folder, shop, 'app.config.ts'), 'utf8');
      expect(written).toContain('fw/middleware/etag');
    },
    4 * CALL_MS,
  );

  test('leaves none out', () => {
    const workspace = set.registry
      .tools()
      .filter(
        ({ tool, category }) => tool.reach === 'workspace' && category !== 'provisioning' && !ELSEWHERE.has(tool.name),
      );
    expect([...new Set(STEPS.map(({ tool }) => tool))].sort()).toEqual(workspace.map(({ tool }) => tool.name));
  });

  test.each(['empty', 'nowhere'])(
    'refuses a folder that is no project with a sentence, not with a crash (%s)',
    async (folderName) => {
      await mkdir(path.join(folder, 'empty'), { recursive: true });
      const needed: Readonly<Record<string, object>> = {
        fw_generate: { kind: 'resource', name: 'Book' },
        fw_add: { feature: 'cors' },
        fw_diff_config: { config: {} },
        fw_new: { name: 'shop', dir: path.join(folderName, 'none') },
      };
      const said: string[] = [];
      for (const { tool } of set.registry.tools()) {
        const [argument] = tool.paths ?? [];
        // This one knows the framework also where there is no project.
        if (tool.reach !== 'workspace' || !argument || tool.name === 'fw_search_llms_txt') continue;
        const { isError, content } = await call(tool.name, { [argument]: folderName, ...needed[tool.name] });
        const text = content.map((each) => each.text).join('\n');
        const isSentence =
          /app\.config\.ts|package\.json|routes\.json|does not exist/.test(text) && !text.includes('\n');
        if (!isError || !isSentence) said.push(`${tool.name}: ${text}`);
      }
      expect(said).toEqual([]);
    },
  );
});

describe('a verification that an agent cancels', () => {
  test('tells how far it is, and ends every process that it started', async () => {
    const root = path.join(folder, 'hanging');
    await mkdir(root);
    await writeFile(
      path.join(root, 'package.json'),
      JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    );
    await writeFile(
      path.join(root, 'hang.test.js'),
      `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('hangs', () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  writeFileSync('pids.tmp', JSON.stringify([process.pid, child.pid]));
  setInterval(() => {}, 1000);
  return new Promise(() => {});
});
`,
    );
    const file = path.join(root, 'pids.tmp');
    const cancel = new AbortController();
    const told: string[] = [];
    const call = client.callTool({ name: 'fw_verify_project', arguments: { path: 'hanging' } }, undefined, {
      timeout: CALL_MS,
      signal: cancel.signal,
      onprogress: ({ message = '' }) => void told.push(message),
    });
    await until(() => existsSync(file), 'test run');
    const pids = await until(async () => parsed(await readFile(file, 'utf8')), 'list of processes');
    expect(pids.map(isPidTaken)).toEqual([true, true]);
    expect(told).toEqual(['checking types', 'linting', 'running tests']);
    cancel.abort('no longer needed');
    await expect(call).rejects.toThrow(/no longer needed/);
    await until(() => !pids.some(isPidTaken), 'end of the processes');
    expect(await client.callTool({ name: 'fw_features' })).toMatchObject({ structuredContent: {} });
  });
});

function parsed(text: string): readonly number[] | undefined {
  return text === '' ? undefined : (JSON.parse(text) as number[]);
}
