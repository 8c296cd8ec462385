import { expect, test } from '@jest/globals';
import { DevTerminal } from './dev-terminal.js';
import type { Problem } from './problem.js';
import type { TypeReport } from './type-check.js';

const FILE = 'app/routes/status.ts';
const at = (message: string, file = FILE): TypeReport['errors'][number] => ({ file, line: 5, column: 7, message });
const SYNTAX = at('TS1134: Variable declaration expected.');
const TYPE = at("TS2322: Type 'string' is not assignable to type 'number'.");
const PROBLEM: Problem = {
  title: 'Code generation found mistakes',
  details: [{ message: 'is not TypeScript: Variable declaration expected.', place: `${FILE}:5:7`, frame: '' }],
};

function terminal(): { readonly shown: DevTerminal; readonly said: string[] } {
  const said: string[] = [];
  const print = (text: string) => void said.push(text);
  return { shown: new DevTerminal({ out: print, err: print }), said };
}

test('a syntax error that keeps the application from running is said once', () => {
  const { shown, said } = terminal();
  shown.types('/none', [SYNTAX], PROBLEM);
  shown.types('/none', [], undefined);
  expect(said).toEqual([]);
});

test.each([
  ['a type error in the same file', TYPE],
  ['a syntax error of another file', at('TS1005: expected a bracket.', 'tests/status.test.ts')],
])('%s is said beside the problem', (_, error) => {
  const { shown, said } = terminal();
  shown.types('/none', [SYNTAX, error], PROBLEM);
  expect(said.join('')).toContain(error.message);
  expect(said.join('')).not.toContain(SYNTAX.message);
});

test('a syntax error that does not keep the application from running is said', () => {
  const { shown, said } = terminal();
  shown.types('/none', [SYNTAX], undefined);
  expect(said.join('')).toContain('the application runs all the same');
  shown.types('/none', [], undefined);
  expect(said.join('')).toContain('types are right again');
});
