import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Tool, type ToolContext, type ToolResult, validatorOf } from '../../../kernel/index.js';
import { ANY_TOOL, RecordingLogger } from '../../../kernel/testing/index.js';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { builtInDialects, defaultDialect } from '../../orm/registry/index.js';
import { pathPolicy } from '../../mcp/confinement/workspace-roots.js';
import { fwCheckLlmsTxtFreshness } from './fw-check-llms-txt-freshness.js';
import { fwExplainIdiom } from './fw-explain-idiom.js';
import { fwGenerateLlmsTxt } from './fw-generate-llms-txt.js';
import { fwSearchLlmsTxt } from './fw-search-llms-txt.js';

let project: ScratchProject;
beforeAll(async () => {
  const fields = [{ name: 'email', type: 'string' }];
  project = await scratchProject('api', {
    models: [{ name: 'Customer', fields }],
    routes: [{ resource: 'customers', model: 'Customer' }],
  });
});
afterAll(() => project.remove());

async function call(tool: Tool, input: object = {}): Promise<ToolResult<Record<string, unknown>>> {
  const { workspace, confine } = await pathPolicy([project.root], project.root);
  const rest = {
    ...ANY_TOOL,
    signal: new AbortController().signal,
    log: new RecordingLogger(),
    readOnly: false,
    progress: () => {},
  };
  const result = (await tool.run(
    { path: project.root, ...input } as never,
    { ...rest, workspace, confine } as ToolContext,
  )) as ToolResult<Record<string, unknown>>;
  expect(validatorOf(tool.output).check(structuredClone(result.structured))).toEqual([]);
  return result;
}

const file = () => path.join(project.root, 'llms-full.txt');
const stateOf = async () => (await call(fwCheckLlmsTxtFreshness)).structured;

describe('the tools around llms.txt', () => {
  test('make the files without writing them, until they are told to [MCP-CATEGORY-KNOWLEDGE-01]', async () => {
    const { structured } = await call(fwGenerateLlmsTxt);
    expect(structured).toMatchObject({
      routes: 7,
      models: 1,
      files: [{ name: 'llms.txt', written: false }, { name: 'llms-full.txt' }],
    });
    await expect(readFile(file())).rejects.toThrow(/ENOENT/);
    expect(await stateOf()).toMatchObject({ fresh: false, files: [{ status: 'missing' }, { status: 'missing' }] });
    await call(fwGenerateLlmsTxt, { write: true });
    expect(await readFile(file(), 'utf8')).toContain('### `POST /api/customers`');
    expect(await stateOf()).toMatchObject({ fresh: true });
  });

  test('tell an edited file from one that the project has left behind', async () => {
    await call(fwGenerateLlmsTxt, { write: true });
    const before = await readFile(file(), 'utf8');
    await writeFile(file(), before.replace('Create customer', 'Make customer'));
    expect(await stateOf()).toMatchObject({
      fresh: false,
      files: [{ status: 'current' }, { status: 'edited', changes: ['changed POST /api/customers'] }],
    });
    await writeFile(file(), before);
    const routes = path.join(project.root, 'app/routes/customers.ts');
    await writeFile(routes, (await readFile(routes, 'utf8')).replace("'Create customer'", "'Register a customer'"));
    expect(await stateOf()).toMatchObject({ fresh: false, files: [{ status: 'stale' }, { status: 'stale' }] });
  });

  test('search what the project says of itself, and name the line [MCP-CATEGORY-KNOWLEDGE-02]', async () => {
    const { structured, text } = await call(fwSearchLlmsTxt, { query: 'create customer', limit: 2 });
    const [first] = structured['matches'] as { kind: string; place: string; heading: string; excerpt: string }[];
    expect(first).toMatchObject({
      heading: 'POST /api/customers',
      kind: 'project',
      place: expect.stringMatching(/^llms-full\.txt:\d+$/),
      excerpt: expect.stringMatching(/email/),
    });
    expect(structured).toMatchObject({ truncated: true });
    expect(text).toContain('## POST /api/customers');
    expect((await call(fwSearchLlmsTxt, { query: 'zzyzzx' })).structured).toMatchObject({ count: 0, matches: [] });
  });

  test('search the documentation of fw with it, told for the database of the project', async () => {
    const { structured } = await call(fwSearchLlmsTxt, { query: 'how do I hide deleted rows' });
    expect(structured).toMatchObject({
      matches: expect.arrayContaining([expect.objectContaining({ place: 'docs/guides/orm-plugins.md#soft-delete' })]),
    });
    const [first] = (await call(fwSearchLlmsTxt, { query: 'change the database' })).structured['matches'] as {
      excerpt: string;
    }[];
    expect(first?.excerpt).toContain(defaultDialect.module);
    for (const { module } of builtInDialects.slice(1)) expect(first?.excerpt).not.toContain(`import('${module}')`);
  });

  test('give a place that an answer has named whole, part by part', async () => {
    const place = 'docs/guides/recipes.md#log-in';
    const { structured, text } = await call(fwSearchLlmsTxt, { query: place });
    expect(structured).toMatchObject({
      count: 1,
      truncated: true,
      matches: [{ heading: 'Log in', kind: 'guide', place }],
    });
    expect(text).toMatch(
      /^\(docs\/guides\/recipes\.md#log-in, part 1 of \d\)\n\n## Log in\n[\s\S]*… \(go on with part 2\)$/,
    );
    const last = Number(/part 1 of (\d)/.exec(text ?? '')?.[1]);
    const end = await call(fwSearchLlmsTxt, { query: place, part: last });
    expect(end.structured).toMatchObject({ truncated: false });
    expect(end.text).toContain('npm run migrate');
    await expect(call(fwSearchLlmsTxt, { query: place, part: last + 1 })).rejects.toThrow(
      /recipes\.md#log-in has \d part\(s\); part \d is none of them/,
    );
    const idiom = await call(fwExplainIdiom, { topic: place, part: last });
    expect(idiom.text).toBe(end.text);
  });

  test('search the documentation where there is no project, and say so', async () => {
    const { structured } = await call(fwSearchLlmsTxt, { query: 'soft delete', path: path.join(project.root, 'app') });
    expect(structured).toMatchObject({
      source: expect.stringMatching(/nothing of a project \(FW_SCHEMATIC_NO_PROJECT/),
      matches: expect.arrayContaining([expect.objectContaining({ heading: 'Soft delete' })]),
    });
  });

  test('are made for a project without the docs plugin as well, and say that nothing serves them', async () => {
    const config = path.join(project.root, 'app.config.ts');
    const before = await readFile(config, 'utf8');
    expect((await call(fwGenerateLlmsTxt)).structured['notes']).toEqual([]);
    try {
      await writeFile(config, before.replace(/plugin\(\(\) => import\('fw\/docs'\), \{/, '$& collect: false,'));
      expect((await call(fwGenerateLlmsTxt)).structured['notes']).toEqual([expect.stringContaining('collect: false')]);
      await writeFile(config, before.replace(/.*import\('fw\/docs'\).*\n/, ''));
      expect((await call(fwGenerateLlmsTxt)).structured).toMatchObject({
        routes: 7,
        notes: [expect.stringContaining('serves no llms.txt')],
      });
      expect(await stateOf()).toMatchObject({ notes: [expect.stringContaining('serves no llms.txt')] });
    } finally {
      await writeFile(config, before);
    }
  });
});
