import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Tool, type ToolContext, validatorOf } from '../../../../kernel/index.js';
import { confinePath, openRoots } from '../../../../kernel/fs/index.js';
import { RecordingLogger } from '../../../../kernel/testing/index.js';
import { addFeature, applyToProject, generate, regenerated } from '../../../../codegen/schematics/index.js';
import { type ScratchProject, scratchProject } from '../../../../codegen/schematics/testing/scratch-project.js';
import { fwGenerateLlmsTxt } from '../fw-generate-llms-txt.js';
import { fwSuggestNextSteps } from '../fw-suggest-next-steps.js';
import { NEXT_STEP_RULES } from './rules.js';
import type { Suggestion } from './suggestion.js';

const projects: ScratchProject[] = [];
afterEach(() => Promise.all(projects.splice(0).map((project) => project.remove())));

// A project that lacks nothing: each case below takes one thing away.
async function completeProject(): Promise<string> {
  const project = await scratchProject('api', {
    fleet: { enabled: true },
    middleware: [{ name: 'jwt' }],
    models: [{ name: 'Product', fields: [{ name: 'title', type: 'string' }] }],
    routes: [{ resource: 'products', model: 'Product' }],
  });
  projects.push(project);
  await call(fwGenerateLlmsTxt, project.root, { write: true });
  return project.root;
}

async function call(tool: Tool, root: string, input: object = {}, more: Partial<ToolContext> = {}) {
  const roots = await openRoots([root], root);
  const context = {
    signal: new AbortController().signal,
    log: new RecordingLogger(),
    workspace: root,
    readOnly: false,
    confine: async (given: string) => (await confinePath(given, roots)).resolved,
    progress: () => undefined,
    categories: [],
    ...more,
  };
  const result = await tool.run({ path: root, ...input } as never, context as never);
  expect(validatorOf(tool.output).check(structuredClone(result.structured))).toEqual([]);
  return result as { readonly summary: string; readonly structured: { readonly suggestions: readonly Suggestion[] } };
}

const suggestionsOf = async (root: string) => (await call(fwSuggestNextSteps, root)).structured.suggestions;

async function edit(root: string, file: string, from: string | RegExp, to: string): Promise<void> {
  const before = await readFile(path.join(root, file), 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  await writeFile(path.join(root, file), after);
}

const PRODUCTS = 'app/routes/products.ts';
const CONFIG = 'app.config.ts';
const entry = (module: string) =>
  new RegExp(
    `\\n    plugin\\(\\s*\\(\\) => import\\('${module}'\\)[\\s\\S]*?\\n?    \\),|\\n    plugin\\(\\(\\) => import\\('${module}'\\).*?\\),(?=\\n)`,
  );

interface Case {
  readonly kind: string;
  readonly take: (root: string) => Promise<unknown>;
  readonly found: object;
}

const CASES: readonly Case[] = [
  {
    kind: 'sources-with-mistakes',
    take: (root) => writeFile(path.join(root, PRODUCTS), 'export default routes(('),
    found: {
      severity: 'error',
      rationale: expect.stringContaining('products.ts'),
      call: { tool: 'fw_verify_project' },
    },
  },
  {
    kind: 'stale-generated',
    take: (root) => edit(root, PRODUCTS, "'Create product'", "'Add a product'"),
    found: { subject: expect.stringContaining('generated/routes.json') },
  },
  {
    kind: 'edited-blocks',
    take: (root) => edit(root, 'app/route-modules.ts', '[productsRoutes, ', '['),
    found: { subject: 'app/route-modules.ts: routes' },
  },
  {
    kind: 'model-without-routes',
    take: (root) =>
      writeFile(
        path.join(root, PRODUCTS),
        "import { routes } from 'fw/http';\nexport default routes(() => {}, 'none');\n",
      ),
    found: { subject: 'Product', call: { tool: 'fw_generate', arguments: { kind: 'resource', name: 'Product' } } },
  },
  {
    kind: 'route-without-docs',
    take: (root) => edit(root, PRODUCTS, "title: 'Get product by id',", ''),
    found: { subject: 'GET /api/products/:id', action: expect.stringMatching(/in app\/routes\/products.ts:\d+/) },
  },
  {
    kind: 'write-without-auth',
    take: (root) => edit(root, CONFIG, entry('fw/middleware/jwt'), ''),
    found: { subject: 'POST /api/products', call: { tool: 'fw_add', arguments: { feature: 'jwt' } } },
  },
  {
    kind: 'handler-without-test',
    take: (root) => rm(path.join(root, 'tests/products.test.ts')),
    found: { subject: PRODUCTS, rationale: expect.stringContaining('POST /api/products') },
  },
  {
    kind: 'missing-migration',
    take: (root) => edit(root, CONFIG, "schema: 'create-missing'", "schema: 'none'"),
    found: { subject: 'Product', rationale: expect.stringContaining('the table products') },
  },
  {
    kind: 'websocket-without-auth',
    take: (root) =>
      edit(
        root,
        PRODUCTS,
        "  router.get(\n    '/api/products',",
        "  router.websocket('/live', () => undefined);\n  router.get(\n    '/api/products',",
      ),
    found: { subject: '/live', action: expect.stringMatching(/Give the route `roles`/) },
  },
  {
    kind: 'fleet-off',
    take: (root) => edit(root, CONFIG, entry('fw/fleet/tracer'), ''),
    found: { call: { tool: 'fw_add', arguments: { feature: 'fleet' } } },
  },
  {
    kind: 'fleet-without-docs',
    take: (root) => edit(root, CONFIG, entry('fw/docs'), ''),
    found: { subject: 'docs' },
  },
  {
    kind: 'fleet-without-aggregator',
    take: (root) => edit(root, CONFIG, 'aggregatorURL: env.FLEET_WRITE_URL', "aggregatorURL: ''"),
    found: { severity: 'error', subject: 'fleet' },
  },
  {
    kind: 'no-docs',
    take: async (root) => {
      await edit(root, CONFIG, entry('fw/docs'), '');
      await edit(root, CONFIG, entry('fw/fleet/tracer'), '');
    },
    found: { call: { tool: 'fw_add', arguments: { feature: 'docs' } } },
  },
  {
    kind: 'llms-missing',
    take: (root) => rm(path.join(root, 'llms.txt')),
    found: { call: { tool: 'fw_generate_llms_txt', arguments: { write: true } } },
  },
  {
    kind: 'llms-stale',
    take: (root) => edit(root, 'llms.txt', 'Create product', 'Make product'),
    found: { call: { tool: 'fw_generate_llms_txt' } },
  },
];

describe('fw_suggest_next_steps', () => {
  test('suggests nothing for a project that lacks nothing [MCP-CATEGORY-KNOWLEDGE-03]', async () => {
    const root = await completeProject();
    expect((await call(fwSuggestNextSteps, root)).summary).toMatch(/^Nothing is missing/);
    expect(await suggestionsOf(root)).toEqual([]);
  });

  test.each(CASES)(
    'finds $kind, says why, and what to call [MCP-CATEGORY-KNOWLEDGE-03]',
    async ({ kind, take, found }) => {
      const root = await completeProject();
      await take(root);
      const suggestions = await suggestionsOf(root);
      expect(suggestions.find((each) => each.kind === kind)).toMatchObject(found);
    },
  );

  test.each(['write-without-auth', 'missing-migration', 'fleet-off', 'fleet-without-docs', 'no-docs'])(
    'suggests for %s a call that can be made, after which it is quiet about it',
    async (kind) => {
      const root = await completeProject();
      await CASES.find((each) => each.kind === kind)?.take(root);
      const { call: suggested } = (await suggestionsOf(root)).find((each) => each.kind === kind) as Suggestion;
      await applyToProject(
        root,
        () => undefined,
        async (context) => {
          if (suggested?.tool === 'fw_add') await addFeature(suggested.arguments as never, context);
          else await generate(suggested?.arguments as never, context);
        },
      );
      expect((await suggestionsOf(root)).map((each) => each.kind)).not.toContain(kind);
    },
  );

  test('suggests JWT for a socket where there is none', async () => {
    const root = await completeProject();
    await edit(root, CONFIG, entry('fw/middleware/jwt'), '');
    await CASES.find(({ kind }) => kind === 'websocket-without-auth')?.take(root);
    const found = (await suggestionsOf(root)).find(({ kind }) => kind === 'websocket-without-auth');
    expect(found?.call).toEqual({ tool: 'fw_add', arguments: { feature: 'jwt', flags: { protect: '/live' } } });
  });

  test('knows the paths and methods that JWT protects', async () => {
    const root = await completeProject();
    await edit(root, CONFIG, "protect: ['/api/**']", "protect: ['/api/orders/**'], methods: ['POST']");
    const open = (await suggestionsOf(root)).filter(({ kind }) => kind === 'write-without-auth');
    // One call does it for all of them.
    expect(open.flatMap(({ subject, also = [] }) => [subject, ...also])).toEqual([
      'POST /api/products',
      'DELETE /api/products/:id',
      'PATCH /api/products/:id',
      'PUT /api/products/:id',
    ]);
    await edit(root, CONFIG, "protect: ['/api/orders/**']", "protect: ['/api/**']");
    const rest = (await suggestionsOf(root)).filter(({ kind }) => kind === 'write-without-auth');
    expect(rest).toHaveLength(1);
    expect(rest.flatMap(({ subject, also = [] }) => [subject, ...also])).toEqual([
      'DELETE /api/products/:id',
      'PATCH /api/products/:id',
      'PUT /api/products/:id',
    ]);
  });

  test('asks for one migration of all tables that none names, as one call writes them', async () => {
    const root = await completeProject();
    await edit(root, CONFIG, "schema: 'create-missing'", "schema: 'none'");
    const shelf = { kind: 'model', name: 'Shelf', fields: ['place:string'], flags: {} };
    await applyToProject(
      root,
      () => undefined,
      (project) => generate(shelf, project),
    );
    const categories = [{ category: 'verification', granted: true, plugins: [], tools: ['fw_write_migration'] }] as const; // prettier-ignore
    const { structured } = await call(fwSuggestNextSteps, root, {}, { categories });
    expect(structured.suggestions.filter(({ kind }) => kind === 'missing-migration')).toMatchObject([
      {
        subject: 'Product',
        also: ['Shelf'],
        rationale: 'No migration names the tables products, shelves, and nothing creates them in the profile prod.',
        call: { tool: 'fw_write_migration', arguments: { name: 'create products and 1 more' } },
      },
    ]);
  });

  test('asks for a migration by the best tool there is, and is satisfied by one that names the table', async () => {
    const root = await completeProject();
    await edit(root, CONFIG, "schema: 'create-missing'", "schema: 'none'");
    const callWith = async (tools: readonly string[], granted = true) => {
      const categories = [{ category: 'verification', granted, plugins: ['tools/workbench'], tools }] as const;
      const { structured } = await call(fwSuggestNextSteps, root, {}, { categories });
      return structured.suggestions.find(({ kind }) => kind === 'missing-migration')?.call;
    };
    expect(await callWith([])).toMatchObject({ tool: 'fw_generate', arguments: { kind: 'migration' } });
    expect(await callWith(['fw_write_migration'], false)).toMatchObject({ tool: 'fw_generate' });
    expect(await callWith(['fw_write_migration'])).toEqual({
      tool: 'fw_write_migration',
      arguments: { name: 'create products' },
    });
    await mkdir(path.join(root, 'app/migrations'));
    await writeFile(
      path.join(root, 'app/migrations/0001_init.ts'),
      "export const up = 'create table products (id int)';\n",
    );
    expect((await suggestionsOf(root)).map(({ kind }) => kind)).not.toContain('missing-migration');
  });

  test('finds a table in a migration whatever characters its name has', () => {
    const rule = NEXT_STEP_RULES.find(({ kind }) => kind === 'missing-migration');
    const missingIn = (migration: string) =>
      rule?.find({
        feature: () => ({ options: {} }),
        has: () => false,
        models: [{ name: 'Stock', table: 'stock (new' }],
        migrations: [migration],
      } as never);
    expect(missingIn('create table "stock (new" (id int)')).toEqual([]);
    expect(missingIn('create table "stock (newer" (id int)')).toMatchObject([{ subject: 'Stock' }]);
  });

  test('has a case for every rule, and refuses a folder that is no project', async () => {
    expect(CASES.map(({ kind }) => kind).sort()).toEqual(NEXT_STEP_RULES.map(({ kind }) => kind).sort());
    const root = await completeProject();
    await rm(path.join(root, CONFIG));
    await expect(suggestionsOf(root)).rejects.toMatchObject({ code: 'FW_SCHEMATIC_NO_PROJECT' });
  });

  test('is quiet again once what it said is done', async () => {
    const root = await completeProject();
    await edit(root, PRODUCTS, "'Create product'", "'Add a product'");
    expect((await suggestionsOf(root)).map(({ kind }) => kind)).toEqual(['stale-generated', 'llms-stale']);
    await regenerated(root);
    await call(fwGenerateLlmsTxt, root, { write: true });
    expect(await suggestionsOf(root)).toEqual([]);
  });
});
