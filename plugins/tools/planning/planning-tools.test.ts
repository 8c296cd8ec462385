import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  type Confirmation,
  type Plugin,
  type Tool,
  type ToolContext,
  type ToolResult,
  validatorOf,
} from '../../../kernel/index.js';
import { recordRecoveries } from '../../../kernel/fs/index.js';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { type ScratchProject, scratchProject } from '../../../codegen/schematics/testing/scratch-project.js';
import { pathPolicy } from '../../mcp/confinement/workspace-roots.js';
import { prepareArguments } from '../../mcp/protocol/call-arguments.js';
import { fwAdd, fwGenerate } from '../generation/index.js';
import { FEATURES } from '../introspection/feature-catalogue.js';
import { fwSuggestNextSteps } from '../knowledge/fw-suggest-next-steps.js';
import { changeSetTools } from './change-set-tools.js';
import { MAX_OPEN } from './change-sets.js';
import { fwDiffConfig } from './fw-diff-config.js';
import { fwExplainProject } from './fw-explain-project.js';
import { fwPlanProject } from './fw-plan-project.js';
import { appendHistory, HISTORY_FILE, readHistory } from './history.js';

const projects: ScratchProject[] = [];
afterEach(() => Promise.all(projects.splice(0).map((project) => project.remove())));

async function projectOf(...args: Parameters<typeof scratchProject>): Promise<string> {
  const project = await scratchProject(...args);
  projects.push(project);
  return project.root;
}

interface Structured extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly call: { readonly changes: readonly object[] };
  readonly files: readonly { readonly path: string }[];
}

async function call(
  tool: Tool,
  input: object,
  root: string,
  {
    confirm = () => Promise.resolve('unasked' as const),
    categories = [],
  }: Partial<Pick<ToolContext, 'confirm' | 'categories'>> = {},
): Promise<ToolResult<Structured>> {
  const { workspace, confine } = await pathPolicy([root], root);
  const context: ToolContext = {
    categories,
    permit: () => undefined,
    argumentsFor: (other, given) => prepareArguments(other, given, { workspace, roots: [root], confine }),
    signal: new AbortController().signal,
    log: new RecordingLogger(),
    workspace,
    readOnly: false,
    confine,
    progress: () => {},
    confirm,
  };
  const result = (await tool.run(input as never, context)) as ToolResult<Structured>;
  expect(validatorOf(tool.output).check(structuredClone(result.structured))).toEqual([]);
  return result;
}

const read = (root: string, file: string) => readFile(path.join(root, file), 'utf8');

function changeSets() {
  const [begin, stage, commit, discard, history] = changeSetTools() as [Tool, Tool, Tool, Tool, Tool];
  return { begin, stage, commit, discard, history };
}

const WORKBENCH = {
  categories: [
    {
      category: 'verification',
      granted: true,
      plugins: ['tools/workbench'],
      tools: ['fw_write_migration', 'fw_migrate'],
    },
  ],
} as const;
const PRODUCT = { tool: 'fw_generate', arguments: { kind: 'resource', name: 'Product', fields: ['name:string'] } };

describe('fw_plan_project', () => {
  test('lists what fw_new would write, and writes nothing [MCP-CATEGORY-PLANNING-01]', async () => {
    const { structured } = await call(fwPlanProject, { config: { middleware: [{ name: 'cors' }] } }, '/tmp');
    expect(structured).toMatchObject({
      valid: true,
      wrote_to_disk: false,
      features: ['recovery', 'logging', 'cors', 'security', 'docs', 'orm'],
      files: expect.arrayContaining([expect.objectContaining({ path: 'app.config.ts', change: 'created' })]),
    });
  });

  test('generates the models and routes of a configuration, those first that others refer to', async () => {
    const config_yaml = `
models:
  - name: Order
    fields: [{ name: customer, type: Customer }]
  - name: Customer
    fields: [{ name: email, type: string }]
routes: [{ resource: orders, model: Order, methods: [GET, POST] }]
`;
    const { structured } = await call(fwPlanProject, { config_yaml }, '/tmp');
    const files = structured.files.map((file) => file.path);
    expect(files).toEqual(
      expect.arrayContaining(['app/models/customer.ts', 'app/models/order.ts', 'app/routes/orders.ts']),
    );
    expect(files).not.toContain('app/routes/customers.ts');
  });

  test('says everything that is wrong with a configuration', async () => {
    const middleware = [{ name: 'nope' }, { name: 'cors' }, { name: 'cors' }];
    const { structured, isError } = await call(fwPlanProject, { config: { middleware } }, '/tmp');
    expect(isError).toBe(true);
    expect(structured['errors']).toEqual([expect.stringContaining('"nope"'), 'middleware "cors" is listed twice']);
  });
});

describe('the types of fields', () => {
  const planOf = (type: string) =>
    call(
      fwPlanProject,
      {
        config: {
          models: [
            { name: 'Tag', fields: [{ name: 'name', type: 'string' }] },
            { name: 'Thing', fields: [{ name: 'value', type }] },
          ],
        },
      },
      '/tmp',
    );

  test.each([
    'string', 'text', 'Text', 'int', 'Int', 'int64', 'uint8', 'bigint', 'number', 'float32', 'bool', 'boolean', 'date', 'Date',
    'time.Time', 'time.Duration', 'uuid', 'Uuid', 'json', 'Json', 'json.RawMessage', 'unknown', 'string[]', '[]string',
    'Array<string>', 'Tag', 'bigint | null', 'Json?', 'Tag | null',
  ])('takes %s in a document, and makes a column of it', async (type) => {
    expect((await planOf(type)).structured).toMatchObject({ valid: true, errors: [] });
  }); // prettier-ignore

  test.each([
    ['Uint8Array', 'model Thing field value references unknown type Uint8Array'],
    ['Label[]', 'model Thing field value references unknown type Label'],
    ['Tag[]', 'model Thing field value has the type Tag[], which no column can have'],
    ['Record<string, Tag>', 'model Thing field value has the type Record<string, Tag>, which no column can have'],
  ])('refuses %s before anything is generated', async (type, problem) => {
    expect((await planOf(type)).structured['errors']).toEqual([expect.stringContaining(problem)]);
  });
});

describe('fw_explain_project', () => {
  test('looks for models where app.config.ts says that they are', async () => {
    const root = await projectOf();
    await call(fwGenerate, { kind: 'model', name: 'Customer', fields: ['email:string', 'tags:string[]'] }, root);
    await mkdir(path.join(root, 'src/shop'), { recursive: true });
    await rename(path.join(root, 'app/models/customer.ts'), path.join(root, 'src/shop/customer.ts'));
    expect((await call(fwExplainProject, { path: root }, root)).structured['models']).toEqual([]);
    const config = await read(root, 'app.config.ts');
    await writeFile(path.join(root, 'app.config.ts'), config.replace('app/models/**/*.ts', 'src/**/*.ts'));
    expect((await call(fwExplainProject, { path: root }, root)).structured['models']).toMatchObject([
      { name: 'Customer', file: 'src/shop/customer.ts', fields: [{}, {}, { name: 'tags', type: 'string[]' }] },
    ]);
    await writeFile(path.join(root, 'app.config.ts'), config.replace('app/models/**/*.ts', '../**/*.ts'));
    await expect(call(fwExplainProject, { path: root }, root)).rejects.toMatchObject({ code: 'FW_PATH_OUTSIDE' });
  });

  test('reads features, models, relations and routes from the sources', async () => {
    const root = await projectOf();
    await call(fwGenerate, { kind: 'resource', name: 'Customer', fields: ['email:string'] }, root);
    await call(fwGenerate, { kind: 'resource', name: 'Order', fields: ['customer:Customer'] }, root);
    await call(fwAdd, { feature: 'ratelimit', flags: { requests: 7 } }, root);
    const { structured } = await call(fwExplainProject, { path: root }, root);
    expect(structured).toMatchObject({
      package: 'scratch',
      features: expect.arrayContaining([
        { name: 'ratelimit', plugin: 'fw/middleware/rate-limit', options: { requests: 7, per: '1m' } },
      ]),
      models: [
        { name: 'Customer', table: 'customers', relations: [{ name: 'orders', model: 'Order', kind: 'hasMany' }] },
        { name: 'Order', relations: [{ name: 'customer', model: 'Customer', kind: 'belongsTo' }] },
      ],
      edited: [],
    });
    const { structured: routes } = await call(fwExplainProject, { path: root, part: 'routes' }, root);
    expect(routes).toMatchObject({ features: [], models: [], notes: [] });
    expect(routes['routes']).toHaveLength(13);
  });

  test('begins each list of a larger project, and says what to pass for all of it', async () => {
    const columns = Array.from({ length: 30 }, (_, nth) => ({ name: `column${nth}`, type: 'string' }));
    const models = ['Customer', 'Order', 'Product'].map((name) => ({ name, fields: columns }));
    const root = await projectOf('api', { models });
    const { structured } = await call(fwExplainProject, { path: root }, root);
    expect(structured['models']).toMatchObject([{ name: 'Customer' }]);
    expect(structured['notes']).toContain('models: 2 more; pass part models.');
    const { structured: all } = await call(fwExplainProject, { path: root, part: 'models' }, root);
    expect(all['models']).toHaveLength(3);
  });

  test('names blocks that were edited by hand', async () => {
    const root = await projectOf('minimal');
    const file = path.join(root, 'app/route-modules.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace('[statusRoutes]', '[]'));
    const { structured } = await call(fwExplainProject, { path: root }, root);
    expect(structured['edited']).toEqual([{ block: 'routes', file: 'app/route-modules.ts' }]);
  });

  test('says where a project was expected', async () => {
    await expect(call(fwExplainProject, { path: '/tmp' }, '/tmp')).rejects.toThrow(
      /There is no app.config.ts in \/tmp/,
    );
  });
});

describe('fw_diff_config', () => {
  test('shows differences, added features and the files they touch, and writes nothing', async () => {
    const root = await projectOf();
    const before = await read(root, 'app.config.ts');
    const config = { docs: { title: 'Other' }, middleware: [{ name: 'cors', origins: ['https://a.example'] }] };
    const { structured } = await call(fwDiffConfig, { existing_path: root, config }, root);
    expect(structured).toMatchObject({
      valid: true,
      changes: [
        { path: 'docs.title', from: 'scratch', to: 'Other' },
        { path: 'middleware.cors', from: null, to: { name: 'cors', origins: ['https://a.example'] } },
      ],
      features_added: ['cors'],
      features_kept: ['docs'],
      touches: [{ path: 'app.config.ts', change: 'modified' }],
      blocked: [{ feature: 'docs', reason: expect.stringContaining('with other options') }],
    });
    expect(await read(root, 'app.config.ts')).toBe(before);
  });
});

/** Every option of a plugin that takes text, with a secret in it: as it is, or as the password of an address. */
async function entryWithSecrets(plugin: string, secret: string): Promise<string> {
  const { default: declared } = (await import(plugin)) as { default: Plugin };
  const options = Object.entries(declared.manifest.options?.properties ?? {}) as [
    string,
    Readonly<Record<string, unknown>>,
  ][];
  const texts = options.filter(([, { type, secret: isMarked }]) => type === 'string' || isMarked === true);
  const lines = texts.map(([name, { secret: isMarked }], index) => {
    const bare = isMarked && name !== 'url' && index % 2 === 0;
    return `${name}: ${index % 3 === 0 ? 'env.SOME ?? ' : ''}'${bare ? secret : `https://user:${secret}@host/`}'`;
  });
  return `plugin(() => import('${plugin}'), { ${lines.join(', ')} })`;
}

describe('the secrets of app.config.ts', () => {
  test('are in no answer of a tool that reads a project, whatever plugin they are options of', async () => {
    const secret = 'hunter2marker';
    const entries: string[] = [];
    // One after the other: jest cannot load two modules at once that share one.
    for (const { plugin } of FEATURES) entries.push(await entryWithSecrets(plugin, secret));
    expect(entries.join().split(secret).length).toBeGreaterThan(20);
    const root = await projectOf('minimal');
    const config = `import { defineApp, plugin } from 'fw';\nexport default defineApp({ name: 'x', plugins: [${entries.join(', ')}] });\n`;
    await writeFile(path.join(root, 'app.config.ts'), config);
    for (const [tool, input] of [
      [fwExplainProject, { path: root }],
      [fwDiffConfig, { existing_path: root, config: { fleet: { enabled: true, aggregator_url: 'http://other/' } } }],
      [fwSuggestNextSteps, { path: root }],
    ] as const) {
      const answer = await call(tool, input, root);
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});

describe('fw_diff_config and fw_explain_project', () => {
  const document = {
    module: 'scratch',
    models: [
      { name: 'Customer', fields: [{ name: 'email', type: 'string' }] },
      {
        name: 'Order',
        fields: [
          { name: 'note', type: 'text' },
          { name: 'count', type: 'Int' },
          { name: 'rate', type: 'number' },
          { name: 'paid', type: 'boolean' },
          { name: 'total', type: 'bigint' },
          { name: 'extra', type: 'Json | null' },
          { name: 'tags', type: 'Array<string>' },
          { name: 'placedAt', type: 'Date | null' },
          { name: 'customer', type: 'Customer' },
        ],
      },
    ],
    routes: [{ resource: 'orders', model: 'Order', methods: ['GET', 'PATCH'] }],
  };

  test('find no difference between a project and the configuration that it was made from', async () => {
    const root = await projectOf('api', document);
    const { structured } = await call(fwDiffConfig, { existing_path: root, config: document }, root);
    expect(structured['changes']).toEqual([]);
  });

  test('find none between a project and what is read back from it, and take that for a valid configuration', async () => {
    const root = await projectOf('api', document);
    const { structured: explained } = await call(fwExplainProject, { path: root, part: 'config' }, root);
    const config = explained['config'] as object;
    expect((await call(fwDiffConfig, { existing_path: root, config }, root)).structured).toMatchObject({
      valid: true,
      errors: [],
      changes: [],
    });
  });

  test('see a type that differs', async () => {
    const root = await projectOf('api', document);
    const config = { models: [{ name: 'Customer', fields: [{ name: 'email', type: 'int' }] }] };
    const { structured } = await call(fwDiffConfig, { existing_path: root, config }, root);
    expect(structured['changes']).toMatchObject([{ path: 'models.Customer.fields.email.type', to: 'int' }]);
  });
});

describe('change sets', () => {
  test('stage calls on top of each other, and write all of them at the commit [MCP-CATEGORY-PLANNING-02]', async () => {
    const root = await projectOf();
    const { begin, stage, commit, history } = changeSets();
    const id = (await call(begin, { project_path: root }, root)).structured.id;
    await call(stage, { change_set: id, ...PRODUCT }, root);
    const review = { kind: 'resource', name: 'Review', fields: ['product:Product', 'stars:int'] };
    const staged = await call(stage, { change_set: id, tool: 'fw_generate', arguments: review }, root);
    expect(staged.structured).toMatchObject({ staged_count: 2, applied_to_project: false });
    expect(staged.structured.call.changes).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'app/models/product.ts', change: 'modified' })]),
    );
    await expect(read(root, 'app/models/product.ts')).rejects.toThrow(/ENOENT/);

    const done = await call(commit, { change_set: id }, root);
    expect(done.structured).toMatchObject({ conflicts: [], problems: [], calls: [{}, {}] });
    expect(await read(root, 'generated/product.ts')).toContain('productModel');
    const past = await call(history, { project_path: root }, root);
    expect(past.structured).toMatchObject({ count: 2, entries: [{ tool: 'fw_generate', arguments: review }, {}] });
    await expect(call(commit, { change_set: id }, root)).rejects.toMatchObject({ code: 'FW_TOOLS_CHANGE_SET' });
  });

  test('say that a migration of changed models is missing, with the call that writes it', async () => {
    const root = await projectOf();
    const { begin, stage, commit } = changeSets();
    const committed = async (staged: object) => {
      const id = (await call(begin, { project_path: root }, root)).structured.id;
      await call(stage, { change_set: id, ...staged }, root);
      return (await call(commit, { change_set: id }, root, WORKBENCH)).summary;
    };
    expect(await committed(PRODUCT)).not.toMatch(/migration/);
    await call(fwAdd, { feature: 'migrations', dir: root }, root);
    const category = { tool: 'fw_generate', arguments: { kind: 'model', name: 'Category', fields: ['name:string'] } };
    expect(await committed(category)).toContain(
      'No migration has these changes of models yet: call fw_write_migration {"name":"Category"}, then fw_migrate. Call fw_verify_project',
    );
    expect(await committed({ tool: 'fw_add', arguments: { feature: 'cors' } })).not.toMatch(/migration/);
    const marked = { feature: 'soft-delete', flags: { model: 'Product' }, dir: root };
    expect((await call(fwAdd, marked, root, WORKBENCH)).summary).toMatch(
      /call fw_write_migration \{"name":"Product"\}/,
    );
    const maker = { kind: 'model', name: 'Maker', fields: ['name:string'], dir: root };
    expect((await call(fwGenerate, maker, root, WORKBENCH)).summary).toMatch(
      /call fw_write_migration \{"name":"Maker"\}/,
    );
    // Where the server works on a folder of several projects, the call has to name this one.
    const buyer = await call(fwGenerate, { ...maker, name: 'Buyer' }, path.dirname(root), WORKBENCH);
    expect(buyer.summary).toContain(`fw_write_migration {"name":"Buyer","path":${JSON.stringify(root)}}`);
    const owner = { ...maker, name: 'Owner' };
    expect((await call(fwGenerate, owner, root)).summary).toMatch(
      /`npx --no -- fw migrate diff --name "Owner"` writes it/,
    );
  });

  test('write nothing when a file has changed since, and stay open', async () => {
    const root = await projectOf();
    const { begin, stage, commit, discard } = changeSets();
    const id = (await call(begin, { project_path: root }, root)).structured.id;
    await call(stage, { change_set: id, tool: 'fw_add', arguments: { feature: 'cors' } }, root);
    await call(stage, { change_set: id, ...PRODUCT }, root);
    const file = path.join(root, 'app.config.ts');
    const edited = `${await readFile(file, 'utf8')}// edited meanwhile\n`;
    await writeFile(file, edited);

    const refused = await call(commit, { change_set: id }, root);
    expect(refused).toMatchObject({
      isError: true,
      structured: { applied: [], conflicts: [{ path: 'app.config.ts', reason: 'changed' }] },
    });
    expect(await readFile(file, 'utf8')).toBe(edited);
    await expect(read(root, 'app/models/product.ts')).rejects.toThrow(/ENOENT/);
    expect((await call(discard, { change_set: id }, root)).structured).toMatchObject({ files_written: 0 });
  });

  test('ask before they replace a file, and never before they only add', async () => {
    const root = await projectOf();
    const { begin, stage, commit } = changeSets();
    const questions: string[] = [];
    const answers = (answer: Confirmation) => (question: string) => {
      questions.push(question);
      return Promise.resolve(answer);
    };
    const staged = async (flags: object) => {
      const change_set = (await call(begin, {}, root)).structured.id;
      const model = { kind: 'model', name: 'Product', fields: ['name:string'], flags };
      await call(stage, { change_set, tool: 'fw_generate', arguments: model }, root);
      return { change_set };
    };
    expect((await call(commit, await staged({}), root, { confirm: answers('no') })).isError).toBeUndefined();
    await writeFile(path.join(root, 'app/models/product.ts'), '// by hand\n');
    const again = await staged({ force: true });
    expect(await call(commit, again, root, { confirm: answers('no') })).toMatchObject({
      isError: true,
      summary: expect.stringMatching(/^Nothing was written: .*app\/models\/product\.ts.*stays open/),
    });
    expect(await read(root, 'app/models/product.ts')).toBe('// by hand\n');
    expect((await call(commit, again, root, { confirm: answers('yes') })).isError).toBeUndefined();
    expect(await read(root, 'app/models/product.ts')).toContain('name');
    expect(questions).toEqual([questions[0], questions[0]]);
    expect(questions[0]).toMatch(
      /^Commit change set cs_.* replaces or deletes what stands in app\/models\/product\.ts\.$/,
    );
  });

  test('leave nothing of a refused call, and take the next one', async () => {
    const root = await projectOf();
    const { begin, stage } = changeSets();
    const id = (await call(begin, { project_path: root }, root)).structured.id;
    const unknown = { kind: 'resource', name: 'Review', fields: ['stars:int', 'product:Product'] };
    const refused = await call(stage, { change_set: id, tool: 'fw_generate', arguments: unknown }, root);
    expect(refused).toMatchObject({ isError: true, structured: { staged_count: 0, pending: [] } });
    expect((await call(stage, { change_set: id, ...PRODUCT }, root)).structured).toMatchObject({ staged_count: 1 });
  });

  test('refuse calls that cannot be staged, with the reason', async () => {
    const root = await projectOf('minimal');
    const { begin, stage } = changeSets();
    const id = (await call(begin, { project_path: root }, root)).structured.id;
    const attempt = (tool: string, given: object) => call(stage, { change_set: id, tool, arguments: given }, root);
    await expect(attempt('fw_new', { name: 'x' })).rejects.toThrow(/existing project/);
    await expect(attempt('fw_add', { feature: 'cors', dir: '/' })).rejects.toThrow(/dir must not be given/);
    await expect(attempt('fw_add', {})).rejects.toThrow(/arguments: feature is required/);
    await expect(call(stage, { change_set: 'cs_none', tool: 'fw_add' }, root)).rejects.toThrow(new RegExp(id));
  });

  test('are bounded in number', async () => {
    const root = await projectOf('minimal');
    const { begin } = changeSets();
    for (let open = 0; open < MAX_OPEN; open += 1) await call(begin, { project_path: root }, root);
    await expect(call(begin, { project_path: root }, root)).rejects.toMatchObject({
      code: 'FW_TOOLS_CHANGE_SETS_FULL',
    });
  });

  test('keep a line of the history whole behind one that was cut off', async () => {
    const root = await projectOf();
    const file = path.join(root, HISTORY_FILE);
    await appendHistory(file, [{ tool: 'first' }]);
    await appendFile(file, '{"tool":"half');
    await appendHistory(file, [{ tool: 'third' }]);
    expect(await readHistory(file)).toEqual([{ tool: 'third' }, { tool: 'first' }]);
  });

  test.each([
    ['fw_add', { feature: 'etag', flags: { bogus: null } }],
    ['fw_add', { feature: 'cors', flags: { bogus: false } }],
    ['fw_generate', { kind: 'model', name: 'Car', fields: ['name:string'], flags: { bogus: null } }],
  ])('refuse a flag of %s that there is not, also one that is left out', async (tool, args) => {
    const root = await projectOf();
    const { begin, stage } = changeSets();
    const id = (await call(begin, { project_path: root }, root)).structured.id;
    const { structured } = await call(stage, { change_set: id, tool, arguments: args }, root);
    expect(structured).toMatchObject({ call: { output: [expect.stringContaining('--bogus')] }, pending: [] });
  });

  test('are told of in the history when one was interrupted, and how it ended', async () => {
    const root = await projectOf('minimal');
    const { history } = changeSets();
    const found = {
      outcome: 'undone',
      journal: 'x',
      files: ['app/a.ts'],
      left: [],
      text: 'A write was undone.',
    } as const;
    await recordRecoveries(root, [found, { ...found, outcome: 'pending' }]);
    await appendFile(path.join(root, '.fw/recovered.jsonl'), '{"half');
    const { structured, summary } = (await call(history, { project_path: root }, root)) as {
      structured: object;
      summary: string;
    };
    expect(structured).toMatchObject({ interrupted: [{ outcome: 'undone', files: ['app/a.ts'], text: found.text }] });
    expect(summary).toMatch(/A write was interrupted, and undone at .*A write was undone\.$/);
    // One that nothing has repaired yet: who asks right after the crash is not told that nothing happened.
    await mkdir(path.join(root, '.fw/journal'));
    await writeFile(path.join(root, '.fw/journal', `${'a'.repeat(16)}.begun`), '{}');
    const after = await call(history, { project_path: root }, root);
    expect(after.structured).toMatchObject({ interrupted: [{ outcome: 'foreign' }, { outcome: 'undone' }] });
  });

  test('keep secrets out of the history', async () => {
    const root = await projectOf();
    const { begin, stage, commit } = changeSets();
    const id = (await call(begin, { project_path: root }, root)).structured.id;
    await call(
      stage,
      { change_set: id, tool: 'fw_add', arguments: { feature: 'dashboard', flags: { user: 'a', pass: 'hunter2' } } },
      root,
    );
    await call(commit, { change_set: id }, root);
    expect(await read(root, '.fw/mcp-history.jsonl')).not.toContain('hunter2');
  });
});
