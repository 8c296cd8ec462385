import { expect, test } from '@jest/globals';
import { causeFacts } from './cause-facts.js';

const ROOT = '/home/ann/Dropbox (Personal)/shop';

function thrown(...frames: readonly string[]): Error {
  const error = new Error('no price');
  error.stack = ['Error: no price', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

test('finds lines of an application whose folders have parentheses and spaces in their names', () => {
  const { at, frames } = causeFacts(
    thrown(
      `price (${ROOT}/app/(shop)/my prices.ts:8:7)`,
      `async Object.get [as total] (file://${ROOT.replaceAll(' ', '%20')}/app/total.ts:3:1)`,
      `${ROOT}/app/main.ts:1:1`,
    ),
    ROOT,
  );
  expect(at).toBe('app/(shop)/my prices.ts:8');
  expect(frames).toEqual(['price app/(shop)/my prices.ts:8', 'Object.get [as total] app/total.ts:3', 'app/main.ts:1']);
});

test.each([
  ['a module of Node', 'run (node:internal/x:1:1)'],
  ['a dependency', `run (${ROOT}/node_modules/x/y.js:1:1)`],
  ['a file beside the application', 'run (/home/ann/other/x.ts:1:1)'],
  ['code of eval', `eval (eval at run (${ROOT}/app/run.ts:1:1), <anonymous>:1:1)`],
  ['no place', 'Promise.all (index 0)'],
  ['a URL of another host, which an error may have in its text', 'x (file://elsewhere/y.ts:1:1)'],
  ['a URL that names no file', 'x (file:///a%2Fb.ts:1:1)'],
])('takes %s for no line of the application', (_which, frame) => {
  expect(causeFacts(thrown(frame), ROOT)).toMatchObject({ message: 'no price', at: '', frames: [] });
});
