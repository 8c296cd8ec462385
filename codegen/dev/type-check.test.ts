import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
  await write('node_modules/typescript/bin/tsc');
  await write('node_modules/typescript/lib/tsc.js', COMPILER);
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
