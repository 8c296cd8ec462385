import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { describeWith } from '../../../../kernel/testing/required-service.js';
import { fwGetTestCoverage } from '../fw-get-test-coverage.js';
import { callOn, projectOnDisk, removeProjects } from '../testing/project-on-disk.js';
import { fileCoverage } from './file-coverage.js';

afterEach(removeProjects);

interface Report extends Readonly<Record<string, unknown>> {
  readonly files: readonly object[];
}

const coverageOf = async (root: string, input: object = {}) =>
  (await callOn<Report>(fwGetTestCoverage, root, input)).structured;

const SUM = `export function sum(a, b) {
  return a + b;
}

export function never(a) {
  if (a) {
    return 1;
  }
  return 2;
}
`;

describe('fw_get_test_coverage', () => {
  test.each<{ runner: string; packages: string[]; files: Record<string, string> }>([
    {
      runner: 'jest',
      packages: ['jest'],
      files: {
        'package.json': '{ "type": "module", "scripts": { "test": "jest" } }',
        'jest.config.js': "export default { transform: {}, coverageProvider: 'v8', collectCoverageFrom: ['lib/**'] };",
        'lib/none.js': 'export const none = () => 1;\n',
        'lib/sum.test.js':
          "import { sum } from './sum.js';\ntest('adds', () => { if (sum(1, 1) !== 2) throw new Error(); });\n",
      },
    },
    {
      runner: 'vitest',
      packages: ['vitest', '@vitest/coverage-v8'],
      files: {
        'package.json': '{ "type": "module", "scripts": { "test": "vitest" } }',
        'lib/sum.test.js':
          "import { expect, test } from 'vitest';\nimport { sum } from './sum.js';\ntest('adds', () => { expect(sum(1, 1)).toBe(2); });\n",
      },
    },
    {
      runner: 'node --test',
      packages: [],
      files: {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'lib/sum.test.js':
          "import { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('adds', () => { if (sum(1, 1) !== 2) throw new Error(); });\n",
      },
    },
  ])('names the lines that no test runs, measured by $runner', async ({ files, packages }) => {
    const root = await projectOnDisk({ 'lib/sum.js': SUM, ...files }, packages);
    const report = await coverageOf(root);
    expect(report).toMatchObject({ tests_passed: true, failures: [], packages: [{ package: 'lib' }] });
    const [file] = report.files.filter((each) => (each as { file: string }).file === 'lib/sum.js') as [
      { percent: number; uncovered: { from: number; to: number }[] },
    ];
    expect(file.percent).toBeGreaterThan(0);
    expect(file.percent).toBeLessThan(100);
    expect(file.uncovered[0]?.from).toBeGreaterThanOrEqual(5);
    expect(file.uncovered.at(-1)?.to).toBeLessThanOrEqual(10);
    expect(report['least_covered']).toContain('lib/sum.js');
  });

  test('says that the tests fail, and what did', async () => {
    const root = await projectOnDisk({
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
      'lib/sum.js': SUM,
      'lib/sum.test.js':
        "import { test } from 'node:test';\nimport './sum.js';\ntest('adds', () => { throw new Error('no'); });\n",
    });
    expect(await coverageOf(root)).toMatchObject({ tests_passed: false, failures: [{ name: 'adds' }] });
  });

  test('reads a report that is there, without running anything', async () => {
    const root = await projectOnDisk({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'a.test.js': 'throw new Error("must not run");',
      'lcov.info':
        'TN:\nSF:lib/a.js\nDA:1,1\nDA:2,0\nDA:3,0\nDA:9,0\nend_of_record\nSF:/elsewhere/b.js\nDA:1,0\nend_of_record\n',
    });
    expect(await coverageOf(root, { existing: true })).toMatchObject({
      source: 'lcov.info',
      weighted_percent: 25,
      untested_packages: [],
      files: [
        {
          file: 'lib/a.js',
          statements: 4,
          covered: 1,
          uncovered: [
            { from: 2, to: 3 },
            { from: 9, to: 9 },
          ],
        },
      ],
      notes: [expect.stringContaining('as old as that file')],
    });
    await writeFile(path.join(root, 'lcov.info'), 'nothing');
    await expect(coverageOf(root, { existing: true })).rejects.toMatchObject({ code: 'FW_TOOLS_COVERAGE' });
  });

  test('passes over what no tool writes into a report', async () => {
    const statementMap = {
      0: null,
      1: { start: { line: 1 }, end: { line: 'x' } },
      2: { start: { line: 2 }, end: { line: 3 } },
    };
    const report = { 'a.js': null, 'b.js': { path: 7 }, 'c.js': { path: 'c.js', statementMap, s: { 1: 0, 2: 0 } } };
    const root = await projectOnDisk({ 'package.json': '{}', 'coverage/coverage-final.json': JSON.stringify(report) });
    expect(await coverageOf(root, { existing: true })).toMatchObject({
      files: [{ file: 'c.js', statements: 1, covered: 0, uncovered: [{ from: 2, to: 3 }] }],
    });
  });

  test('says what is missing: a runner, what vitest measures with, a report', async () => {
    const empty = await projectOnDisk({ 'package.json': '{}' });
    await expect(coverageOf(empty)).rejects.toMatchObject({ code: 'FW_TOOLS_NO_RUNNER' });
    await expect(coverageOf(empty, { existing: true })).rejects.toThrow(
      /none of coverage\/coverage-final.json, .* is there/,
    );
    const bare = await projectOnDisk({ 'package.json': '{ "scripts": { "test": "vitest" } }' }, ['vitest']);
    await expect(coverageOf(bare)).rejects.toThrow(/install @vitest\/coverage-v8/);
  });
});

describe('fileCoverage', () => {
  const line = (at: number, ran: boolean) => ({ from: at, to: at, ran });

  test('joins lines that lie together into one gap, and keeps others apart', () => {
    const counted = [line(1, true), line(2, false), line(4, false), line(5, true), line(6, false), line(20, false)];
    expect(fileCoverage('/p', '/p/a.ts', counted)?.uncovered).toEqual([
      { from: 2, to: 4 },
      { from: 6, to: 6 },
      { from: 20, to: 20 },
    ]);
  });

  test('reads statements of as many lines as a report says, overlapping or not', () => {
    const counted = [
      { from: 5, to: 1e12, ran: false },
      { from: 2, to: 3, ran: false },
      { from: 9, to: 10, ran: true },
      { from: 1, to: 4, ran: true },
      { from: 2e12, to: 2e12, ran: false },
      { from: NaN, to: Infinity, ran: false },
    ];
    expect(fileCoverage('/p', 'a.ts', counted)).toMatchObject({
      statements: 5,
      uncovered: [
        { from: 2, to: 3 },
        { from: 5, to: 1e12 },
        { from: 2e12, to: 2e12 },
      ],
    });
  });

  test('leaves out files of others, and has no percent to lose where there is nothing to run', () => {
    expect(fileCoverage('/p', '/q/a.ts', [])).toBeUndefined();
    expect(fileCoverage('/p', '/p/node_modules/x/a.ts', [])).toBeUndefined();
    expect(fileCoverage('/p', 'a.ts', [])?.percent).toBe(100);
  });
});

describeWith(
  { variable: 'FW_TEST_GO', hint: 'the go command, 1.19 or later' },
  'fw_get_test_coverage on a Go module',
  () => {
    test('counts statements of every package, those without tests as well', async () => {
      const root = await projectOnDisk({
        'go.mod': 'module example.com/sums\n\ngo 1.19\n',
        'sum.go': 'package sums\n\nfunc Sum(a, b int) int {\n\treturn a + b\n}\n\nfunc Never() int {\n\treturn 1\n}\n',
        'sum_test.go': 'package sums\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tSum(1, 1)\n}\n',
        'other/other.go': 'package other\n\nfunc Other() int {\n\treturn 2\n}\n',
      });
      expect(await coverageOf(root)).toMatchObject({
        tests_passed: true,
        files: [
          { file: 'other/other.go', percent: 0, uncovered: [{ from: 3, to: 5 }] },
          { file: 'sum.go', statements: 2, covered: 1, percent: 50, uncovered: [{ from: 7, to: 9 }] },
        ],
        untested_packages: ['other'],
        weighted_percent: 33.33,
        total_percent: 25,
      });
    });
  },
);
