import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stackFrame, stackFrames } from './stack-frame.js';
import { MOST_LINEAR_MS, processorMs } from '../testing/processor-time.js';

const FOLDER = '/home/ann/Dropbox (Personal)/my shop';

test.each([
  ['a function', `price (${FOLDER}/a.ts:8:7)`, 'price', `${FOLDER}/a.ts`],
  ['a function that is awaited', `async price (${FOLDER}/a.ts:8:7)`, 'price', `${FOLDER}/a.ts`],
  ['a method under another name', `Shop.get [as price] (${FOLDER}/a.ts:8:7)`, 'Shop.get [as price]', `${FOLDER}/a.ts`],
  ['a constructor', `new Shop (${FOLDER}/a.ts:8:7)`, 'new Shop', `${FOLDER}/a.ts`],
  ['a name with parentheses', `Shop.price (of one) (${FOLDER}/a.ts:8:7)`, 'Shop.price (of one)', `${FOLDER}/a.ts`],
  ['code without a name', `${FOLDER}/a.ts:8:7`, '', `${FOLDER}/a.ts`],
  ['a function without a name', `<anonymous> (${FOLDER}/a.ts:8:7)`, '', `${FOLDER}/a.ts`],
  ['a URL', `price (${pathToFileURL(`${FOLDER}/a.ts`).href}:8:7)`, 'price', `${FOLDER}/a.ts`],
  ['a URL that is awaited', `async ${pathToFileURL(`${FOLDER}/a.ts`).href}:8:7`, '', `${FOLDER}/a.ts`],
  ['a path with dots', `price (${FOLDER}/b/../a.ts:8:7)`, 'price', `${FOLDER}/a.ts`],
  ['a file with colons and digits', `price (${FOLDER}/a:1:2:8:7)`, 'price', `${FOLDER}/a:1:2`],
  ['a module of Node', 'Module.load (node:internal/modules/loader:8:7)', 'Module.load', undefined],
  ['a URL of another host', 'price (file://elsewhere/a.ts:8:7)', 'price', undefined],
  ['a URL that names no file', 'price (file:///a%2Fb.ts:8:7)', 'price', undefined],
  ['a source of another kind', 'price (data:text/javascript,x:8:7)', 'price', undefined],
])('reads the frame of %s', (_which, frame, name, file) => {
  expect(stackFrame(`    at ${frame}`)).toMatchObject({ text: `at ${frame}`, name, file, line: 8, column: 7 });
});

test.each(['C:\\Shop (old)\\a.ts', 'C:/Shop (old)/a.ts', '\\\\server\\Shop (old)\\a.ts'])(
  'tells a name from the path of Windows %s',
  (source) => {
    expect(stackFrame(`    at new Shop (${source}:8:7)`)).toMatchObject({ name: 'new Shop', source, line: 8 });
  },
);

test.each([
  ['a message', 'Error: at price (/a.ts:8:7)'],
  ['a place without a column', '    at price (/a.ts:8)'],
  ['no place', '    at new Promise (<anonymous>)'],
  ['an index', '    at async Promise.all (index 0)'],
  ['code of eval', `    at eval (eval at run (${FOLDER}/a.ts:8:7), <anonymous>:1:1)`],
  ['a function without a name in code of eval', `    at eval at run (${FOLDER}/a.ts:8:7), <anonymous>:1:1`],
])('takes %s for no frame', (_which, text) => {
  expect(stackFrame(text)).toBeUndefined();
});

test('reads the frames that V8 writes', () => {
  const filename = `${FOLDER}/a.ts`;
  const code = `class Shop { constructor() { eval('(() => { throw new Error("one\\\\ntwo") })()') } }\nnew Shop()`;
  let stack = '';
  try {
    vm.runInThisContext(code, { filename });
  } catch (error) {
    stack = (error as Error).stack as string;
  }
  expect(stack).toContain('(eval at ');
  const frames = stackFrames(stack).filter(({ file }) => file === filename);
  expect(frames.map(({ name, line }) => `${name}:${line}`)).toEqual(['new Shop:1', ':2']);
});

test('reads any text, and of a frame the name and the place that are in it', () => {
  const segment = fc.stringMatching(/^[^/\\\n\r\u2028\u2029]{1,12}$/).filter((text) => !/^\.{1,2}$/.test(text));
  const file = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
  const name = fc.constantFrom('', 'price', 'new Shop', 'Shop.<anonymous>', 'Object.get [as price]', 'a (b)');
  const number = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(name, file, number, number, fc.boolean(), (called, source, line, column, isUrl) => {
      const at = `${isUrl ? pathToFileURL(source).href : source}:${line}:${column}`;
      const frame = stackFrame(`    at ${called === '' ? at : `${called} (${at})`}`);
      expect(frame).toMatchObject({ name: called, file: source, line, column });
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => void stackFrames(`    at ${text}\n at file:${text}:1:1)`)));
});

test('reads long lines at once', () => {
  const took = processorMs(() => {
    for (const part of ['/a', ' ', ' (', ':1', ' at ', ' (/']) {
      for (const end of ['', ':1:1', ':1:1)', 'x']) stackFrame(`    at ${part.repeat(100_000)}${end}`);
    }
  });
  expect(took).toBeLessThan(MOST_LINEAR_MS);
});
