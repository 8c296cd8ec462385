import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { appProblem } from './problem.js';
import { MOST_LINEAR_MS, processorMs } from '../../kernel/testing/processor-time.js';

let folder: string;
let root: string;
let file: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'fw-problem-')));
  root = path.join(folder, 'Dropbox (Personal)');
  file = path.join(root, 'app/(shop)/price.ts');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'one();\ntwo();\n');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const placeOf = (...lines: readonly string[]): string | undefined => {
  const stack = ['Error: no price', ...lines].join('\n');
  return appProblem(root, 'The application does not start', { message: 'no price', stack }).details[0]?.place;
};

test.each([
  ['a path', () => `    at price (${file}:2:1)`],
  ['a path of a call that is awaited', () => `    at async Object.get [as price] (${file}:2:1)`],
  ['a path without a name', () => `    at ${file}:2:1`],
  ['a URL', () => `    at price (${pathToFileURL(file).href}:2:1)`],
  ['a URL above the stack', () => `${pathToFileURL(file).href}:2:1`],
])('finds the line of an application in a folder with parentheses: %s', (_which, line) => {
  expect(placeOf('    at node:internal/x:1:1', line())).toBe('app/(shop)/price.ts:2:1');
});

test('gives the frames of the application with paths that can be read', () => {
  const stack = `Error: no price\n    at price (${pathToFileURL(file).href}:2:1)\n    at node:internal/x:1:1\n    at ${file}:1:1`;
  const { details } = appProblem(root, 'The application does not start', { message: 'no price', stack });
  expect(details[0]?.more).toBe('at price (app/(shop)/price.ts:2:1)\nat app/(shop)/price.ts:1:1');
});

test('passes over URLs that name no file', () => {
  expect(placeOf('    at a (file://elsewhere/x:1:1)', '    at a (file:///b%2Fc:1:1)', `    at b (${file}:1:1)`)).toBe(
    'app/(shop)/price.ts:1:1',
  );
});

test('reads a line of many slashes at once', () => {
  const took = processorMs(() => {
    expect(placeOf(`    at ${'/a'.repeat(28)}`)).toBeUndefined();
  });
  expect(took).toBeLessThan(MOST_LINEAR_MS);
});
