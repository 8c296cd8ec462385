import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { runProcess } from '../process/index.js';
import { surelyFits } from './sure-fit.js';
import { validatorOf } from './validator.js';
import { PATIENCE_MS } from '../testing/patience.js';

const PARTS: readonly TSchema[] = [
  Type.String(),
  Type.String({ minLength: 2, maxLength: 3 }),
  Type.String({ pattern: '^[a-z]$' }),
  ...['uri', 'email', 'uuid', 'date', 'date-time', 'ipv4', 'regex', 'int32'].map((format) => Type.String({ format })),
  Type.Integer({ minimum: 0, maximum: 65535 }),
  Type.Integer(),
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 2 }),
  Type.Number({ multipleOf: 2 }),
  Type.Boolean(),
  Type.Enum(['a', 'b']),
  Type.Literal(1),
  Type.Unsafe({ const: { a: 1 } }),
  Type.Unsafe({ type: ['string', 'number'] }),
  Type.Unsafe({ not: { type: 'string' } }),
  Type.Unsafe({ type: 'string', not: { const: 'a' } }),
  Type.Union([Type.Integer(), Type.Literal('auto')]),
  Type.Array(Type.Integer(), { minItems: 1, maxItems: 2 }),
  Type.Array(Type.Integer(), { uniqueItems: true }),
  Type.Tuple([Type.Integer()]),
  Type.Object({ a: Type.Integer() }),
  Type.Integer({ default: 7 }),
  Type.String({ default: 'x', minLength: 2 }),
];

const VALUE = fc.oneof(
  fc.constantFrom<unknown>(undefined, 'a', 'ab', '😀😀😀', 'auto', '', 'https://a.example', 'a@b.example', '127.0.0.1'),
  fc.constantFrom<unknown>('2024-02-29', '2023-02-29', '6f9619ff-8b86-4d11-b42d-00c04fc964ff', '2024-01-01T00:00:00Z'),
  fc.constantFrom<unknown>(0, -0, 1, 1.5, 2, -1, 65535, 65536, 2 ** 53, NaN, Infinity, true, false, null, { a: 1 }),
  fc.array(fc.constantFrom<unknown>(1, 2, 1.5, '1'), { maxLength: 3 }),
  fc.string(),
);

describe('surelyFits', () => {
  test('says yes only where a validator does, and fills in the same', () => {
    let sure = 0;
    fc.assert(
      fc.property(
        fc.array(fc.record({ schema: fc.constantFrom(...PARTS), value: VALUE, optional: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
        }),
        (members) => {
          const named = members.map((each, at) => ({ ...each, name: `V${at}` }));
          const schema = Type.Object(
            Object.fromEntries(
              named.map(({ name, schema: part, optional }) => [name, optional ? Type.Optional(part) : part]),
            ),
          );
          const values = () =>
            Object.fromEntries(named.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
          const [here, there] = [values(), values()];
          if (!surelyFits(schema, here)) return expect(here).toEqual(values());
          sure++;
          expect(validatorOf(schema).check(there)).toEqual([]);
          expect(here).toEqual(there);
        },
      ),
      { numRuns: 3000 },
    );
    expect(sure).toBeGreaterThan(40);
  });

  test.each([
    [Type.String({ format: 'uri', secret: true, description: 'x' }), 'https://a.example'],
    [Type.String({ format: 'date' }), '2024-02-29'],
    [Type.String({ minLength: 32 }), 'x'.repeat(32)],
    [Type.Integer({ minimum: 0, maximum: 65535 }), 3000],
    [Type.Boolean(), false],
    [Type.Enum(['a', 'b']), 'b'],
    [Type.Union([Type.Literal('a'), Type.Integer()]), 3],
    [Type.Array(Type.String({ format: 'uri' })), ['https://a.example']],
  ])('knows what environments are made of: %j', (schema, value) => {
    expect(surelyFits(Type.Object({ V: schema }), { V: value })).toBe(true);
  });

  test('loads no compiler', async () => {
    const source = path.join(import.meta.dirname, 'sure-fit.ts');
    const program = `
      import { createRequire } from 'node:module';
      import { runProcess } from '../process/index.js';
import { surelyFits } from ${JSON.stringify(source)};
      const schema = { type: 'object', required: ['A'], properties: { A: { type: 'string', format: 'uri' } } };
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(surelyFits(schema, { A: 'https://a.example' }), loaded.filter((file) => /[\\\\/]ajv[\\\\/]/.test(file)));
    `;
    const { outputFiles } = buildSync({
      stdin: { contents: program, resolveDir: import.meta.dirname },
      ...{ bundle: true, write: false, format: 'esm', platform: 'node' },
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
    });
    const args = ['--input-type=module', '-e', outputFiles[0]?.text ?? ''];
    const ran = await runProcess({
      ...{ command: process.execPath, args, cwd: import.meta.dirname },
      ...{ timeoutMs: PATIENCE_MS, maxOutputBytes: 10_000 },
    });
    expect([ran.stdout, ran.stderr]).toEqual(['true []\n', '']);
  });
});
