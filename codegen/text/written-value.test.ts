import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import prettier from 'prettier';
import { writtenJson, writtenValue } from './index.js';

const STYLE = { printWidth: 120, singleQuote: true, trailingComma: 'all' } as const;

const text = fc.oneof(
  fc.stringMatching(/^[a-zA-Z_' "$]{0,40}$/),
  fc.stringMatching(/^[éüñ漢字かな한글a-z]{0,60}$/u),
  fc.constantFrom('x'.repeat(90), `it's "quoted"`, 'line\nend', '\\d+', '\u2028'),
);
const key = fc.oneof(fc.stringMatching(/^[a-z][a-zA-Z]{0,24}$/), fc.constantFrom('content-type', '$id', 'a b'));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.integer({ min: -1000, max: 1_000_000 }),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.integer({ min: -99, max: 99_999 }), { maxLength: 60 }),
    fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  ),
}));

/** Lists that end at the edge of a line, where a comma decides. */
const AT_THE_EDGE: readonly Record<string, unknown>[][] = [0, 1, 2, 3].flatMap((more) => [
  [{ a: [['x'.repeat(87 + more), false, "a'", false]] }],
  [{ a: { b: ['x'.repeat(95 + more), 'y'] } }],
  [{ a: Array.from({ length: 22 + more }, (_, index) => 1_000 + index) }],
]);

describe('values', () => {
  test('are written as Prettier writes them, and mean what they meant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), async (given) => {
        const code = `export const made = ${writtenValue(given, { indent: 0, column: 20, after: 1 })};\n`;
        expect(code).toBe(await prettier.format(code, { ...STYLE, parser: 'typescript' }));
        expect(new Function(code.replace('export const made =', 'return'))()).toEqual(given);
      }),
      { numRuns: 150 },
    );
  });

  test('are written as Prettier writes JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(key, value, { maxKeys: 5 }), { maxLength: 3 }), async (given) => {
        const json = writtenJson(given);
        expect(json).toBe(await prettier.format(json, { ...STYLE, parser: 'json' }));
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(given)));
      }),
      { numRuns: 150, examples: AT_THE_EDGE.map((given): [typeof given] => [given]) },
    );
  });
});
