import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isPidTaken } from '../../kernel/fs/index.js';
import { until } from '../../kernel/testing/until.js';
import { type TypeCheck, type TypeReport, watchTypes } from './type-check.js';

// What the watching compiler says when a file appears while it compiles what imports it depends on its speed; so it is a program here
// that says it in its first run, and in the others what it is told to.
const COMPILER = `
const { existsSync, writeFileSync } = require('node:fs');
const line = "app/orders.ts(1,23): error TS2307: Cannot find module '../generated/order.js' or its corresponding type declarations.";
const isFirst = !existsSync('ran');
writeFileSync('ran', '');
const hasFound = isFirst || existsSync('still');
if (hasFound) console.log(line);
console.log('1:00:00 PM - Found ' + (hasFound ? '1 error' : '0 errors') + '. Watching for file changes.');
setInterval(() => undefined, 60_000);
`;

let root: string;
let check: TypeCheck | undefined;
let reports: TypeReport[];

const write = async (file: string, text = '') => {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
};

async function firstReport(): Promise<TypeReport> {
  check = await watchTypes(root, 'tsconfig.json', (report) => void reports.push(report));
  expect(check).toBeDefined();
  return until(() => reports[0], 'report of types');
}

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-types-')));
  reports = [];
  await write('node_modules/typescript/package.json', '{"name":"typescript","version":"6.0.3"}');
  await write('node_modules/typescript/bin/tsc', COMPILER);
  await write('app/orders.ts');
});
afterEach(async () => {
  await check?.stop();
  await rm(root, { recursive: true });
});

test('a file that appeared while the compiler ran is found by a new one, and nothing is said of it', async () => {
  await write('generated/order.ts');
  expect(await firstReport()).toEqual({ errors: [] });
});

test('what the new compiler says too is told', async () => {
  await write('generated/order.ts');
  await write('still');
  expect(await firstReport()).toMatchObject({ errors: [{ file: 'app/orders.ts', line: 1, column: 23 }] });
});

test('a file that is missing is told at once', async () => {
  expect(await firstReport()).toMatchObject({ errors: [{ file: 'app/orders.ts' }] });
});

test('what was found before a save is not told of the text behind it', async () => {
  // Its first check ends when it is told to, and it begins anew as the compiler does that has noticed a save.
  await write(
    'node_modules/typescript/bin/tsc',
    `
const { existsSync } = require('node:fs');
const ended = (found) => console.log('1:00:00 PM - Found ' + found + '. Watching for file changes.');
const look = setInterval(() => {
  if (!existsSync('saved')) return;
  clearInterval(look);
  console.log("app/orders.ts(1,1): error TS1005: ',' expected.");
  ended('1 error');
  console.log('1:00:01 PM - File change detected. Starting incremental compilation...');
  ended('0 errors');
}, 20);
`,
  );
  check = await watchTypes(root, 'tsconfig.json', (report) => void reports.push(report));
  check?.saved();
  await write('saved');
  expect(await until(() => reports[0], 'report of types')).toEqual({ errors: [] });
});

describe('after a save that a compiler has missed', () => {
  beforeEach(() =>
    write(
      'node_modules/typescript/bin/tsc',
      COMPILER.replace('const isFirst', 'for (const end = Date.now() + 500; Date.now() < end; );\nconst isFirst'),
    ),
  );

  test('a new one finds what is there by then', async () => {
    check = await watchTypes(root, 'tsconfig.json', (report) => void reports.push(report));
    check?.saved();
    expect(await until(() => reports[0], 'report of types')).toEqual({ errors: [] });
  });

  test('what a new one finds too is told', async () => {
    await write('still');
    check = await watchTypes(root, 'tsconfig.json', (report) => void reports.push(report));
    check?.saved();
    expect(await until(() => reports[0], 'report of types')).toMatchObject({ errors: [{ file: 'app/orders.ts' }] });
  });
});

test('a compiler in machine code is watched as well, and ends with the check', async () => {
  const here = `node_modules/@typescript/typescript-${process.platform}-${process.arch}`;
  await write('node_modules/typescript/package.json', '{"name":"typescript","version":"7.0.2"}');
  await write(`${here}/package.json`, '{}');
  await write('package.json', '{"type":"commonjs"}');
  const noted = `require('node:fs').writeFileSync('pid', String(process.pid));`;
  await write(`${here}/lib/tsc`, `#!${process.execPath}\n${noted}\n${COMPILER}`);
  await chmod(path.join(root, here, 'lib/tsc'), 0o755);
  expect(await firstReport()).toMatchObject({ errors: [{ file: 'app/orders.ts' }] });
  const pid = Number(await readFile(path.join(root, 'pid'), 'utf8'));
  expect(isPidTaken(pid)).toBe(true);
  await check?.stop();
  await until(() => !isPidTaken(pid), 'end of the compiler');
});
