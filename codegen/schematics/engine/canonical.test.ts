import { expect, test } from '@jest/globals';
import { assertParses } from './canonical.js';

test.each([
  ['a decorated class', 'app/a.ts', "@table('a')\nexport class A { @db('id,pk') id!: number; }"],
  ['types and imports', 'app/a.ts', "import type { A } from './a.js';\nexport const a = {} satisfies A;"],
  ['elements', 'app/a.tsx', 'export const a = <p>text</p>;'],
])('%s parse', (_, file, text) => {
  expect(() => assertParses(file, text)).not.toThrow();
});

test.each([
  ['a bracket that is not closed', 'export class A {', "'}' expected"],
  ['a name that is missing', 'export const = 1;', 'Variable declaration expected'],
  ['a text that is not closed', "export const a = 'x;", 'Unterminated string'],
])('%s is refused before it is written', (_, text, problem) => {
  expect(() => assertParses('app/a.ts', text)).toThrow(
    expect.objectContaining({ code: 'FW_SCHEMATIC_SYNTAX', message: expect.stringContaining(problem) }),
  );
});
