import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { glob } from 'tinyglobby';
import type { TestReport } from '../diagnostics.js';
import type { PackageManifest, RunContext } from '../project.js';
import type { ProgramRun } from '../step.js';
import { parseTestReport } from './jest-report.js';
import { parseNodeTests, REPORTER_SOURCE } from './node-test.js';
import { runNode } from './program.js';

/** Supported test runners. */
type TestRunner = 'jest' | 'vitest' | 'node';

const JEST = 'jest/bin/jest.js';
const VITEST = 'vitest/vitest.mjs';
const TIMEOUT_MS = 300_000;
const TEST_FILES = ['**/*.{test,spec}.{js,mjs,cjs}', '**/*_test.{js,mjs,cjs}', '**/test/**/*.{js,mjs,cjs}'];
const NEVER = ['**/node_modules/**', '**/dist/**', '**/coverage/**', '**/.*/**'];

/** The facts of a project that determine how its tests run. */
export interface TestedProject {
  readonly root: string;
  readonly manifest: PackageManifest;
}

/** Options of a test run. */
interface TestRequest {
  /** Regular expression over the names of tests; empty for all. */
  readonly filter: string;
  /** Absolute path of the only file to run; default all. */
  readonly file?: string | undefined;
  /** Whether to measure coverage. */
  readonly coverage: boolean;
}

/** A test run with its output files. */
interface TestRun {
  readonly runner: TestRunner;
  readonly run: ProgramRun;
  /** Undefined when the runner wrote none. */
  readonly report: TestReport | undefined;
  /** `coverage-final.json` of jest and vitest, events of `node --test`; empty without coverage. */
  readonly coverage: string;
}

/**
 * The test runner of a project: the one in its test script, else one that it depends on, has a configuration for or has installed, else
 * Node's own if there are test files for it.
 */
export async function runnerOf({ root, manifest }: TestedProject): Promise<TestRunner | undefined> {
  const { test: script = '' } = manifest.scripts;
  const named = /\b(vitest|jest)\b|(?:^|\s)--test\b/.exec(script);
  if (named) return named[1] === 'vitest' || named[1] === 'jest' ? named[1] : 'node';
  for (const runner of ['jest', 'vitest'] as const) if (manifest.dependencies.has(runner)) return runner;
  const configured = await glob(['{jest,vitest}.config.*'], { cwd: root });
  if (configured[0] !== undefined) return configured[0].startsWith('jest') ? 'jest' : 'vitest';
  // Only its own packages: an installation in a folder above may belong to another project.
  if (existsSync(path.join(root, 'node_modules', JEST))) return 'jest';
  if (existsSync(path.join(root, 'node_modules', VITEST))) return 'vitest';
  return (await testFiles(root, TEST_FILES)).length > 0 ? 'node' : undefined;
}

/** Runs the tests of a project. */
export async function runTests(
  runner: TestRunner,
  project: TestedProject,
  request: TestRequest,
  context: RunContext,
): Promise<TestRun> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-tests-'));
  try {
    const report = path.join(folder, 'report.json');
    const program = await PROGRAMS[runner]({ ...project, ...request, folder, report });
    const run = await runNode({ root: project.root, timeoutMs: TIMEOUT_MS, ...program }, context);
    const text = await readFile(report, 'utf8').catch(nothing);
    const parsed = runner === 'node' ? parseNodeTests(text, project.root) : parseTestReport(text, project.root);
    const coverage =
      runner === 'node' ? text : await readFile(path.join(folder, 'coverage-final.json'), 'utf8').catch(nothing);
    return { runner, run, report: parsed, coverage: request.coverage ? coverage : '' };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// A runner that fails early writes no file; the missing report is reported together with its output.
const nothing = (): string => '';

interface Prepared extends TestedProject, TestRequest {
  readonly folder: string;
  readonly report: string;
}

interface Program {
  readonly script?: string;
  readonly args: readonly string[];
  readonly nodeArgs?: readonly string[];
}

const PROGRAMS: Readonly<Record<TestRunner, (prepared: Prepared) => Program | Promise<Program>>> = {
  jest: ({ report, filter, file, coverage, folder }) => ({
    script: JEST,
    nodeArgs: ['--experimental-vm-modules', '--no-warnings'],
    args: [
      ...['--ci', '--json', `--outputFile=${report}`, '--testLocationInResults', '--passWithNoTests'],
      ...(filter === '' ? [] : ['--testNamePattern', filter]),
      ...(file === undefined ? [] : ['--runTestsByPath', file]),
      ...(coverage ? ['--coverage', '--coverageReporters=json', `--coverageDirectory=${folder}`] : []),
    ],
  }),
  vitest: ({ report, filter, file, coverage, folder }) => ({
    script: VITEST,
    args: [
      ...[
        'run',
        ...(file === undefined ? [] : [file]),
        '--reporter=json',
        `--outputFile=${report}`,
        '--passWithNoTests',
        '--includeTaskLocation',
      ],
      ...(filter === '' ? [] : ['--testNamePattern', filter]),
      ...(coverage
        ? ['--coverage.enabled=true', '--coverage.reporter=json', `--coverage.reportsDirectory=${folder}`]
        : []),
    ],
  }),
  node: async ({ root, manifest, report, filter, file, coverage, folder }) => {
    const reporter = path.join(folder, 'reporter.mjs');
    await writeFile(reporter, REPORTER_SOURCE);
    const { loaders, files } = await nodeTestArguments(root, manifest.scripts['test'] ?? '');
    return {
      args: [
        ...loaders,
        '--test',
        ...(coverage ? ['--experimental-test-coverage'] : []),
        `--test-reporter=${reporter}`,
        `--test-reporter-destination=${report}`,
        ...(filter === '' ? [] : [`--test-name-pattern=${filter}`]),
        ...(file === undefined ? files : [file]),
      ],
    };
  },
};

const LOADER = /(?:^|\s)(?:--import|--require|--loader|-r)(?:\s+|=)(?!-)([\w@./-]+)/g;
const PATTERN = /\S*\.(?:[cm]?[jt]sx?)\b\S*/g;

// Takes only the loaders of TypeScript and the test files from the test script: the reporter is our own, and a watch would never end.
async function nodeTestArguments(root: string, script: string): Promise<{ loaders: string[]; files: string[] }> {
  const loaders = [...script.matchAll(LOADER)].map(([, module = '']) => `--import=${module}`);
  const usesTsx = /(?:^|\s)tsx\s/.test(script) && loaders.length === 0;
  const after = /--test\b(.*)$/.exec(script)?.[1] ?? '';
  const given = [...after.replaceAll(LOADER, '').matchAll(PATTERN)].map(([word]) => word.replaceAll(/['"]/g, ''));
  const files = await testFiles(root, given.length > 0 ? given : TEST_FILES);
  return { loaders: usesTsx ? ['--import=tsx'] : loaders, files };
}

async function testFiles(root: string, patterns: readonly string[]): Promise<string[]> {
  return (await glob([...patterns], { cwd: root, ignore: NEVER })).sort();
}
