import { describe, expect, test } from '@jest/globals';
import { type Tool, type ToolResult, validatorOf } from '../../../kernel/index.js';
import { fwDescribeSchema } from './fw-describe-schema.js';
import { fwExplainIdiom } from './fw-explain-idiom.js';
import { fwListExamples } from './fw-list-examples.js';
import { IDIOMS } from './idioms.js';
import { checkDocument } from './project-document/check.js';
import { EXAMPLES } from './project-document/examples.js';

async function run(tool: Tool, input: object): Promise<ToolResult<Record<string, unknown>>> {
  const result = (await tool.run(input as never, {} as never)) as ToolResult<Record<string, unknown>>;
  expect(validatorOf(tool.output).check(structuredClone(result.structured))).toEqual([]);
  return result;
}

describe('fw_describe_schema', () => {
  test('gives the schema of the whole configuration, with the dotted path of every value where it is asked for', async () => {
    const brief = await run(fwDescribeSchema, {});
    expect(JSON.stringify(brief.structured).length).toBeLessThan(5_000);
    expect(JSON.stringify(brief)).not.toMatch(/x-flag|x-field-order/);
    const { structured } = await run(fwDescribeSchema, { detail: true });
    expect(structured['schema']).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      'x-field-order': structured['sections'],
      properties: {
        server: { properties: { port: { type: 'integer', default: 3000, 'x-flag': 'server.port' } } },
        models: { items: { required: ['name'], properties: { name: { 'x-flag': 'models.<name>.name' } } } },
        routes: { items: { required: ['resource'] } },
      },
    });
    expect(structured['flag_paths']).toEqual(
      expect.arrayContaining(['docs.ui_path', 'middleware.<name>.rps', 'module']),
    );
  });

  test('describes what the check accepts: each example fits the schema as it is described', async () => {
    const { structured } = await run(fwDescribeSchema, {});
    const validator = validatorOf(structured['schema'] as never);
    for (const { name, document } of EXAMPLES)
      expect([name, validator.check(structuredClone(document))]).toEqual([name, []]);
    expect(validator.check({ server: { prot: 1 } })).toMatchObject([{ path: '/server/prot' }]);
  });

  test('gives one section, and names them all when there is no such section', async () => {
    const { structured } = await run(fwDescribeSchema, { section: 'docs' });
    expect(structured).toMatchObject({ section: 'docs', schema: { title: 'docs', type: 'object' } });
    await expect(run(fwDescribeSchema, { section: 'nope' })).rejects.toThrow(
      /no section "nope". Sections: module, server/,
    );
  });
});

describe('fw_list_examples', () => {
  test('gives examples that pass the check, as YAML that reads back the same', async () => {
    const { structured } = await run(fwListExamples, {});
    const { parse } = await import('yaml');
    const examples = structured['examples'] as { name: string; valid: boolean; yaml: string }[];
    expect(examples.map(({ name, valid }) => [name, valid])).toEqual(EXAMPLES.map(({ name }) => [name, true]));
    expect(examples.map(({ yaml }) => parse(yaml) as unknown)).toEqual(EXAMPLES.map(({ document }) => document));
  });

  test('says which sections are covered when a filter finds nothing', async () => {
    expect((await run(fwListExamples, { section: 'models' })).structured).toMatchObject({ count: 1, notes: [] });
    const none = await run(fwListExamples, { section: 'nope' });
    expect(none.structured).toMatchObject({
      count: 0,
      notes: [expect.stringMatching(/Covered sections: module, docs/)],
    });
  });
});

describe('checkDocument', () => {
  test.each([
    [{ server: { port: 0 } }, /server.port must be >= 1/],
    [{ nothing: 1 }, /nothing is not known here/],
    [{ fleet: { enabled: true, transport: 'ws', aggregator_ws_url: 'http://x' } }, /must start with ws:\/\//],
    [{ fleet: { enabled: true, aggregator_url: ' ' } }, /nothing would be exported/],
    [{ middleware: [{ name: 'warp' }] }, /middleware "warp" is not a feature/],
    [{ middleware: [{ name: 'gzip' }, { name: 'compression' }] }, /"compression" is listed twice/],
    [
      { models: [{ name: 'order', fields: [{ name: 'id', type: 'Int' }] }] },
      /must be an identifier that starts with a capital/,
    ],
    [{ models: [{ name: 'Order', fields: [] }] }, /model Order has no fields/],
    [
      { models: [{ name: 'Order', fields: [{ name: 'tag', type: 'Tag[]' }] }] },
      /model Order field tag references unknown type Tag/,
    ],
    [{ routes: [{ resource: 'orders', model: 'Order' }] }, /shows model Order, which is not declared/],
    [{ routes: [{ resource: 'a' }, { resource: 'a' }] }, /route a is listed twice/],
  ])('refuses %j', (document, problem) => {
    expect(checkDocument(document)).toEqual([expect.stringMatching(problem)]);
  });

  test('collects every problem', () => {
    const fields = [
      { name: 'a', type: 'X', primary_key: true },
      { name: 'a', type: 'Date | null', primary_key: true },
    ];
    expect(checkDocument({ models: [{ name: 'M', fields }] })).toHaveLength(3);
  });
});

describe('fw_explain_idiom', () => {
  test('explains one rule, by id, topic or words, and all of them', async () => {
    const rules = async (topic?: string) =>
      ((await run(fwExplainIdiom, topic === undefined ? {} : { topic })).structured['rules'] as { rule: string }[]).map(
        ({ rule }) => rule,
      );
    expect(await rules()).toEqual(IDIOMS.map(({ rule }) => rule));
    expect(await rules('fleet-before-dashboard')).toEqual(['fleet-before-dashboard']);
    expect(await rules('Middleware Order')).toEqual(['fleet-before-dashboard']);
    expect(await rules('worker')).toEqual(['blocking-for-slow-work']);
    await expect(rules('zzyzzx')).rejects.toThrow(/No idiom fits "zzyzzx". Rules: no-reflection-in-handlers/);
  });

  test('tells to import plugins only from modules that have one', async () => {
    const named = IDIOMS.flatMap(({ do: advice }) => [...advice.matchAll(/import\('([^']+)'\)/g)]);
    expect(named.length).toBeGreaterThan(0);
    for (const [, module = ''] of named) {
      const { default: plugin } = (await import(module)) as { readonly default?: unknown };
      expect([module, plugin]).toEqual([module, expect.objectContaining({ manifest: expect.anything() })]);
    }
  });

  test('of what is no rule it gives what the documentation says', async () => {
    const { structured, text } = await run(fwExplainIdiom, { topic: 'eager loading' });
    expect(structured).toMatchObject({
      rules: [],
      count: 0,
      documentation: expect.arrayContaining([expect.objectContaining({ heading: 'Query.preload' })]),
    });
    expect(text).toMatch(
      /^No convention is about "eager loading"; the documentation says:\n\n## Read\n[\s\S]*\.preload\('orders'/,
    );
  });
});
