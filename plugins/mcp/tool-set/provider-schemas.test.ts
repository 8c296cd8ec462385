import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RecordingLogger } from '../../../kernel/testing/index.js';
import { listedSchema } from '../protocol/input-schema.js';
import { listedTool } from '../protocol/tool-listing.js';
import { echoTool, scopedTools } from '../testing/fixture-plane.js';
import { loadBuiltInTools } from '../testing/load-built-in-tools.js';
import { Type } from 'typebox';
import { gatherTools, pluginsAt, type ToolSet } from './tool-set.js';

// Clients hand the schemas on to the provider of their model, and one that a provider does not take fails the whole request.

type Schema = Readonly<Record<string, unknown>>;

let set: ToolSet;
beforeAll(async () => {
  await loadBuiltInTools();
  const further = pluginsAt(['fw/tools/workbench'], '/');
  set = await gatherTools({ root: '/', log: new RecordingLogger(), further });
});
afterAll(() => set.stop());

const listed = () => scopedTools(set.registry).map(listedTool);

/** Every schema inside of one, with the way to it. */
function* within(schema: Schema, at = ''): Generator<readonly [string, Schema]> {
  yield [at, schema];
  for (const [name, each] of Object.entries((schema['properties'] ?? {}) as Schema))
    yield* within(each as Schema, `${at}/${name}`);
  if (schema['items'] !== undefined) yield* within(schema['items'] as Schema, `${at}/*`);
  for (const each of (schema['anyOf'] ?? []) as Schema[]) yield* within(each, `${at}|`);
  if (typeof schema['additionalProperties'] === 'object')
    yield* within(schema['additionalProperties'] as Schema, `${at}/*`);
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
// Google, Gemini API reference, `Schema` and `FunctionDeclaration.parametersJsonSchema`.
const GEMINI = [
  'type', 'format', 'title', 'description', 'enum', 'items', 'minItems', 'maxItems', 'properties', 'required', 'minimum', 'maximum',
  'minLength', 'maxLength', 'pattern', 'anyOf', 'additionalProperties', 'default',
]; // prettier-ignore
// OpenAI, guide "Structured model outputs", supported schemas; what a client's conversion to strict mode can take away beside them.
const OPENAI = [
  'type', 'description', 'enum', 'items', 'minItems', 'maxItems', 'properties', 'required', 'minimum', 'maximum', 'pattern',
  'format', 'anyOf', 'additionalProperties', 'minLength', 'maxLength', 'default',
]; // prettier-ignore

function problemsFor(keywords: readonly string[], schema: Schema): readonly string[] {
  return [...within(schema)].flatMap(([at, part]) => {
    const said: string[] = [];
    const unknown = Object.keys(part).filter((keyword) => !keywords.includes(keyword));
    if (unknown.length > 0) said.push(`has ${unknown.join(', ')}`);
    if (part['anyOf'] === undefined && !TYPES.includes(String(part['type']))) said.push('has not one type');
    if (part['enum'] && part['type'] !== 'string') said.push('is an enum of something else than strings');
    if ((part['enum'] as unknown[] | undefined)?.includes('')) said.push('has an empty choice');
    if (part['type'] === 'array' && part['items'] === undefined) said.push('does not say what the array holds');
    if (part['type'] !== 'object' && (part['properties'] ?? part['required']))
      said.push('has properties, but is no object');
    const required = (part['required'] ?? []) as string[];
    if (required.some((name) => !(name in ((part['properties'] ?? {}) as Schema)))) said.push('requires what it lacks');
    if (part['type'] === 'object' && part['properties'] && part['additionalProperties'] !== false) said.push('is open');
    return said.map((problem) => `${at || 'the root'} ${problem}`);
  });
}

describe('the input schemas in tools/list', () => {
  test.each([
    ['OpenAI', OPENAI],
    ['Gemini', GEMINI],
  ])('are of the kind that %s takes', (_, keywords) => {
    const problems = listed().flatMap(({ name, inputSchema }) =>
      problemsFor(keywords, inputSchema).map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  // Anthropic, Messages API, `tools`: names, and an object at the root that is no union.
  test('have names and a root that every provider takes', () => {
    for (const { name, inputSchema } of listed()) {
      expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
      expect([name, inputSchema['type'], inputSchema['anyOf']]).toEqual([name, 'object', undefined]);
      const names = [...within(inputSchema)].flatMap(([, part]) => Object.keys((part['properties'] ?? {}) as Schema));
      expect([name, names.filter((each) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(each))]).toEqual([name, []]);
    }
  });

  // OpenAI's strict mode has no maps: a tool with one is used there without strict, which is what clients fall back to.
  test('hold a map only where the names are the caller’s own', () => {
    const maps = listed().flatMap(({ name, inputSchema }) =>
      [...within(inputSchema)]
        .filter(([, { type, additionalProperties }]) => type === 'object' && additionalProperties !== false)
        .map(([at]) => `${name}${at}`),
    );
    expect(maps).toEqual([
      'fw_add/flags', 'fw_diff_config/config', 'fw_generate/flags', 'fw_new/config', 'fw_plan_project/config',
      'fw_simulate_request/headers', 'fw_stage_call/arguments', 'provision_fleet/services/*/config', 'provision_fleet/docker',
      'provision_service/config', 'provision_service/docker/env',
    ]); // prettier-ignore
  });

  test('come out of what a plugin writes with TypeBox', () => {
    const input = Type.Object({
      kind: Type.Enum(['a', 'b']),
      map: Type.Optional(Type.Record(Type.String(), Type.Number())),
      any: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      list: Type.Optional(Type.Array(Type.Object({ kind: Type.Enum(['c']) }))),
      open: Type.Optional(Type.Object({ a: Type.String() }, { additionalProperties: true })),
    });
    expect(listedSchema(input)).toEqual({
      type: 'object',
      required: ['kind'],
      additionalProperties: false,
      properties: {
        kind: { type: 'string', enum: ['a', 'b'] },
        map: { type: 'object', additionalProperties: { type: 'number' } },
        any: { type: 'object', additionalProperties: true },
        list: {
          type: 'array',
          items: {
            type: 'object',
            required: ['kind'],
            properties: { kind: { type: 'string', enum: ['c'] } },
            additionalProperties: false,
          },
        },
        open: {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string' } },
          additionalProperties: true,
        },
      },
    });
  });
});

describe('the annotations in tools/list', () => {
  const hints = (name: string) => listed().find((each) => each.name === name)?.annotations;

  test('follow the effects that the tools declare', () => {
    for (const { name, effects } of scopedTools(set.registry))
      expect([name, hints(name)?.readOnlyHint]).toEqual([name, effects.length === 0]);
    const adding = listed().filter(
      ({ annotations }) => 'destructiveHint' in annotations && !annotations.destructiveHint,
    );
    expect(adding.map(({ name }) => name)).toEqual([
      'fw_begin_change_set', 'fw_migration_diff', 'fw_migration_status', 'fw_new', 'fw_read_database', 'fw_read_schema', 'fw_run_test', 'fw_stage_call', 'fw_write_migration',
      'provision_fleet', 'provision_service',
    ]); // prettier-ignore
    expect(hints('fw_generate_llms_txt')).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
  });

  test('fear the worst of a tool that says nothing about its effects', () => {
    const tool = echoTool('writes', 'generation', { effects: ['writes-files'] });
    expect(listedTool(tool).annotations).toEqual({ readOnlyHint: false, destructiveHint: true, idempotentHint: false });
  });
});
