import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { DurationSchema, withDefault } from '../../kernel/config/index.js';
import { definePlugin } from '../../kernel/plugin/index.js';
import { type AjvFunction, registerPrecompiled, validatorDigest, validatorOf } from '../../kernel/schema/index.js';
import { runCodegen } from '../engine/index.js';
import { emitOptionValidators } from './index.js';
import { standaloneCode } from './standalone-code.js';
import { TABLE, validatorTable } from './validator-table.js';

type Table = Readonly<Record<string, AjvFunction>>;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fw-validators-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(code: string): Promise<Table> {
  const file = path.join(folder, 'validators.mjs');
  writeFileSync(file, code);
  return ((await import(pathToFileURL(file).href)) as { validators: Table }).validators;
}

const SCHEMAS: Readonly<Record<string, TSchema>> = {
  object: Type.Object({ id: Type.Integer({ minimum: 1 }), name: Type.Optional(Type.String({ minLength: 2 })) }),
  closed: Type.Object({ a: Type.Number() }, { additionalProperties: false }),
  defaults: Type.Object({
    limit: withDefault(Type.Integer({ maximum: 100 }), 20),
    tags: Type.Optional(Type.Array(Type.String(), { default: [] })),
  }),
  union: Type.Union([Type.Literal('a'), Type.Object({ kind: Type.Literal('b'), n: Type.Number() }), Type.Null()]),
  formats: Type.Object({
    email: Type.String({ format: 'email' }),
    at: Type.String({ format: 'date-time' }),
    id: Type.String({ format: 'uuid' }),
  }),
  unique: Type.Array(Type.Object({ n: Type.Number() }), { uniqueItems: true, maxItems: 3 }),
  record: Type.Record(Type.String(), Type.Boolean()),
  nested: Type.Object({
    lines: Type.Array(Type.Object({ sku: Type.String({ pattern: '^[A-Z]{3}$' }), n: Type.Integer() }), { minItems: 1 }),
  }),
  inherited: Type.Object({
    toString: Type.Optional(Type.Integer()),
    constructor: Type.String(),
    valueOf: Type.Optional(Type.Object({ hasOwnProperty: Type.Optional(Type.Boolean()) })),
  }),
  shared: Type.Object({ n: Type.Object({ id: Type.Integer() }, { $id: 'Shared' }), a: Type.Ref('Shared') }),
  sharedOnceMore: Type.Union([Type.Object({ n: Type.Object({ id: Type.Integer() }, { $id: 'Shared' }) }), Type.Null()]),
  sharedRoot: Type.Object({ id: Type.Integer() }, { $id: 'Shared' }),
  cyclic: Type.Cyclic({ Node: Type.Object({ n: Type.Optional(Type.Ref('Node')), id: Type.Number() }) }, 'Node'),
  duration: DurationSchema({ description: 'how long' }),
  callback: Type.Unsafe<() => void>({ typeof: 'function' }),
};

const NEAR = fc.record(
  {
    toString: fc.integer(),
    constructor: fc.string(),
    valueOf: fc.constantFrom<unknown>({}, { hasOwnProperty: true }, 1),
    id: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(2 ** 53), fc.constantFrom('5', 'x', '', null, 1.5)),
    name: fc.oneof(fc.string(), fc.constant('😀')),
    a: fc.anything(),
    limit: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.constant('7')),
    kind: fc.constantFrom('a', 'b'),
    n: fc.oneof(fc.integer(), fc.constantFrom('3', true)),
    email: fc.oneof(fc.emailAddress(), fc.string()),
    at: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.string(),
    ),
    lines: fc.oneof(fc.array(fc.record({ sku: fc.constantFrom('ABC', 'abc'), n: fc.integer() })), fc.string()),
  },
  { requiredKeys: [] },
);
const VALUE = fc.oneof(
  NEAR,
  fc.jsonValue(),
  fc.array(NEAR, { maxLength: 4 }),
  fc.constantFrom<unknown>('a', '10s', 'true', '1', () => undefined, ['x', 3], ['x', '3'], undefined),
);

describe('generated validators', () => {
  describe('beside run-time ones', () => {
    test.each(Object.entries(SCHEMAS))(
      'find the same issues and fill in the same values as run-time ones: %s',
      async (name, schema) => {
        const atRunTime = validatorOf(schema);
        atRunTime.check(undefined);
        const digest = validatorDigest(schema);
        const { digests, code } = validatorTable([{ schema, subject: name }]);
        expect(digests).toEqual([digest]);
        const counted = counting((await load(`${code}export const validators = ${TABLE};`))[digest] as AjvFunction);
        registerPrecompiled({ [digest]: counted.check });
        const generated = validatorOf(JSON.parse(JSON.stringify(schema)) as TSchema);
        let runs = 0;
        fc.assert(
          fc.property(VALUE, (value) => {
            const [here, there] = [copied(value), copied(value)];
            expect(generated.check(there)).toEqual(atRunTime.check(here));
            expect(there).toEqual(here);
            runs++;
          }),
          { numRuns: 150 },
        );
        expect(counted.calls()).toBe(runs);
      },
    );
  });

  test('need nothing from outside', () => {
    const requests = Object.values(SCHEMAS).map((schema) => ({ schema, subject: 'it' }));
    const { code } = validatorTable(requests);
    // A function made of text sees globals only: neither `require` nor imports.
    const { validators } = new Function(`${code}; return bundle;`)() as { validators: Table };
    expect(Object.keys(validators)).toHaveLength(requests.length);
  });

  test('are the same text for the same schemas in any order, with one function per schema', () => {
    const requests = Object.values(SCHEMAS).map((schema) => ({ schema, subject: 'it' }));
    const { code, digests } = validatorTable(requests);
    expect(validatorTable([...requests, ...requests].reverse()).code).toBe(code);
    expect(digests).toHaveLength(requests.length);
  });

  test('are the same text whatever was generated before in the process', () => {
    const { shared, sharedRoot, formats } = SCHEMAS as Record<string, TSchema>;
    const textOf = (schema: TSchema | undefined) => standaloneCode(structuredClone(schema) as TSchema, 'it');
    const first = [shared, sharedRoot, formats].map(textOf);
    expect([formats, sharedRoot, shared].map(textOf)).toEqual(first.reverse());
  });

  test('say which schema Ajv cannot compile', () => {
    const schema = Type.String({ pattern: '(' });
    expect(() => validatorTable([{ schema, subject: 'input.body of POST /a' }])).toThrow(
      /cannot compile the schema of input\.body of POST \/a: .*regular expression/i,
    );
  });

  test('of option schemas check the options of plugins', async () => {
    const make = (id: string, options: TSchema) =>
      definePlugin({
        id,
        category: 'app',
        description: 'A plugin',
        options: options as ReturnType<typeof Type.Object>,
      });
    const plugins = [make('one', Type.Object({ port: Type.Integer() })), make('two', Type.Object({}))];
    const table = await load(emitOptionValidators(plugins as never));
    const check = table[validatorDigest(plugins[0]?.manifest.options as TSchema)] as AjvFunction;
    expect([check({ port: 1 }), check({ port: 'x' }), check({ port: 1, misspelt: 1 })]).toEqual([true, false, false]);
  });
});

describe('validators.ts', () => {
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  const route = (options: string) =>
    `import { routes } from 'fw/http';\nimport { Type } from 'typebox';\nexport default routes((router) => {\n  router.post('/a', ${options}, f);\n});\n`;

  beforeEach(() =>
    write('app.config.ts', "export default defineApp({ models: [], routes: ['*.routes.ts'], plugins: [] });"),
  );

  test('holds one validator for each schema of an input', async () => {
    write(
      'a.routes.ts',
      route('{ input: { body: Type.Object({ n: Type.Integer() }), query: Type.Object({ n: Type.Integer() }) } }'),
    );
    expect((await runCodegen({ root: folder })).written).toEqual([
      'generated/index.ts',
      'generated/reference.json',
      'generated/routes.json',
      'generated/validators.ts',
    ]);
    const text = readFileSync(path.join(folder, 'generated/validators.ts'), 'utf8');
    const body = text
      .replace(/^import.*$/m, 'const registerPrecompiled = () => {};')
      .replace(/(const validators): [^=]*=>[^=]*=/, '$1 =');
    const table = await load(body);
    const schema = Type.Object({ n: Type.Integer() });
    const fits = table[validatorDigest(schema)] as AjvFunction;
    expect([fits({ n: '1' }), fits({ n: 1 })]).toEqual([false, true]);
    expect(Object.keys(table)).toHaveLength(1);
  });

  test('is not there when no route reads input', async () => {
    write('a.routes.ts', route('{}'));
    expect((await runCodegen({ root: folder })).written).toEqual([
      'generated/index.ts',
      'generated/reference.json',
      'generated/routes.json',
    ]);
  });

  test('names every route whose schema is broken, with file and line', async () => {
    write(
      'a.routes.ts',
      route("{ input: { body: Type.String({ pattern: '(' }), query: Type.Unsafe({ type: 'strin' }) } }"),
    );
    const { problems } = await runCodegen({ root: folder });
    expect(problems.map(({ file, line }) => [path.basename(file), line])).toEqual([
      ['a.routes.ts', 4],
      ['a.routes.ts', 4],
    ]);
    expect(problems.map(({ message }) => message).join()).toMatch(/input\.body of POST \/a.*input\.query of POST \/a/);
  });
});

describe('schemas with an $id in routes', () => {
  const write = (file: string, text: string) => writeFileSync(path.join(folder, file), text);
  const head =
    "import { routes } from 'fw/http';\nimport { Type } from 'typebox';\nimport { Address } from './shared.js';\n";
  beforeEach(() => {
    write('app.config.ts', "export default defineApp({ models: [], routes: ['*.routes.ts'], plugins: [] });");
    write(
      'shared.ts',
      "import { Type } from 'typebox';\nexport const Address = Type.Object({ street: Type.String() }, { $id: 'Address' });\n",
    );
  });

  test.each(['[body, query]', '[query, body]'])('may be shared by routes, in the order %s', async (order) => {
    const lines = {
      body: "router.post('/a', { input: { body: Address }, output: Type.Array(Address) }, f);",
      query: "router.post('/b', { input: { body: Type.Object({ to: Address, from: Type.Ref('Address') }) } }, f);",
    };
    const [first, second] = order === '[body, query]' ? [lines.body, lines.query] : [lines.query, lines.body];
    write('a.routes.ts', `${head}export default routes((router) => {\n  ${first}\n  ${second}\n});\n`);
    expect((await runCodegen({ root: folder })).problems).toEqual([]);
  });

  test('are refused with both places when two have the same one', async () => {
    write(
      'a.routes.ts',
      `${head}export default routes((router) => {\n  router.post('/a', { input: { body: Address } }, f);\n});\n`,
    );
    write(
      'b.routes.ts',
      `${head}const Other = Type.Object({ street: Type.Integer() }, { $id: 'Address' });\nexport default routes((router) => {\n  router.get('/b', { output: Type.Array(Other) }, f);\n});\n`,
    );
    const { problems } = await runCodegen({ root: folder });
    expect(problems).toMatchObject([
      {
        file: path.join(folder, 'b.routes.ts'),
        line: 6,
        message: expect.stringMatching(
          /"Address": one in input\.body of POST \/a \(a\.routes\.ts:5\), another in output of GET \/b \(b\.routes\.ts:6\)/,
        ),
      },
    ]);
  });

  test('are refused when a reference leads to none', async () => {
    write(
      'a.routes.ts',
      `${head}export default routes((router) => {\n  router.post('/a', { input: { body: Type.Object({ to: Type.Ref('Adress') }) } }, f);\n});\n`,
    );
    const { problems } = await runCodegen({ root: folder });
    expect(problems).toMatchObject([{ line: 5, message: expect.stringMatching(/"Adress" leads nowhere/) }]);
  });
});

function counting(check: AjvFunction) {
  let calls = 0;
  const counted: AjvFunction = (value) => {
    calls++;
    const fits = check(value);
    counted.errors = check.errors ?? null;
    return fits;
  };
  return { check: counted, calls: () => calls };
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member)]));
}
