import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { runProcess } from '../process/index.js';
import { failedTests, type JestResults, missingNeeds, slowestFiles } from './test-summary.mjs';
import { PATIENCE_MS } from '../testing/patience.js';

const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');
const REPORTER = path.resolve(import.meta.dirname, '../testing/results-reporter.cjs');

/** What jest itself says of some files. */
async function resultsOf(files: Readonly<Record<string, string>>) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'fw-failed-')));
  try {
    for (const [name, text] of Object.entries({ 'package.json': '{}', ...files }))
      await writeFile(path.join(folder, name), text);
    const args = [JEST, '--rootDir', folder, '--reporters', REPORTER, '--colors', '--runInBand'];
    const results = path.join(folder, 'results.json');
    const env = { ...process.env, FW_TEST_RESULTS: results };
    await runProcess({
      command: process.execPath,
      args,
      cwd: folder,
      env,
      timeoutMs: PATIENCE_MS,
      maxOutputBytes: 100_000,
    });
    return { folder, results: JSON.parse(await readFile(results, 'utf8')) as JestResults };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('each test and each file that failed is told with the first line of its reason', async () => {
  const { folder, results } = await resultsOf({
    'sums.test.js': `
      describe('sums', () => {
        test('add up', () => expect(1 + 1).toBe(3));
        test('hold', () => expect(1 + 1).toBe(2));
        test('are short', () => { throw new TypeError('x'.repeat(1_000)); });
      });`,
    'loading.test.js': "throw new Error('cannot load');",
    'ending.test.js': "test('runs', () => {}); afterAll(() => { throw new Error('cannot end'); });",
    'passing.test.js': "test('passes', () => {});",
  });
  expect([...failedTests(results, folder)].sort()).toEqual([
    'ending.test.js\n    cannot end',
    'loading.test.js\n    cannot load',
    'sums.test.js › sums › add up\n    Error: expect(received).toBe(expected) // Object.is equality',
    `sums.test.js › sums › are short\n    TypeError: ${'x'.repeat(289)}…`,
  ]);
});

test('what skipped tests would need is told once, with how many files wait for it', async () => {
  const skipped = (name: string, need: string) => `test.skip('skipped, ${name}: ${need}', () => {});`;
  const { results } = await resultsOf({
    'one.test.js': skipped('rows', 'set FW_TEST_A to the address of a: server') + skipped('page', 'no browser'),
    'two.test.js': `${skipped('keys', 'set FW_TEST_A to the address of a: server')} test.skip('later', () => {});`,
    'passing.test.js': "test('passes', () => {});",
  });
  expect(missingNeeds(results)).toEqual(
    expect.arrayContaining(['2 files: set FW_TEST_A to the address of a: server', '1 file: no browser']),
  );
  expect(missingNeeds(results)).toHaveLength(2);
});

test('the files that took longest are told, the longest first', async () => {
  const { folder, results } = await resultsOf({
    'long.test.js': "test('waits', () => new Promise((done) => setTimeout(done, 1_500)));",
    'short.test.js': "test('does not', () => {});",
  });
  expect(slowestFiles(results, folder, 1)).toEqual([expect.stringMatching(/^ +\d s {2}long\.test\.js$/)]);
  expect(slowestFiles(results, folder, 10)).toHaveLength(2);
});
