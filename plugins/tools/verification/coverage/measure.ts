import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fwError, isFwError, readTextFile } from '../../../../kernel/index.js';
import type { TestFailure } from '../diagnostics.js';
import { VERIFICATION_ERRORS } from '../errors.js';
import { goIn } from '../go/program.js';
import { GO_TEST_TIMEOUT, modulePath } from '../go/steps.js';
import { parseGoTests } from '../go/tests.js';
import { programIn } from '../node/program.js';
import { runnerOf, runTests } from '../node/test-runner.js';
import { type RunContext, type VerifiedProject } from '../project.js';
import type { ProgramRun } from '../step.js';
import type { FileCoverage } from './file-coverage.js';
import { goCoverage, istanbulCoverage, lcovCoverage, nodeCoverage, unreadable } from './formats.js';

const TEST_MS = 300_000;
const MAX_REPORT_BYTES = 64 << 20;

/** Coverage with its source. */
interface Coverage {
  readonly files: readonly FileCoverage[];
  /** The command that measured it, or the file that it was read from. */
  readonly source: string;
  /** Undefined when no test was run. */
  readonly tests?: { readonly passed: boolean; readonly failures: readonly TestFailure[] };
  readonly notes: readonly string[];
}

/**
 * Runs the tests of a project and measures what they cover.
 * @throws FwError `FW_TOOLS_NO_GO`, `FW_TOOLS_NO_RUNNER`, `FW_TOOLS_COVERAGE`
 */
export function measuredCoverage(project: VerifiedProject, context: RunContext): Promise<Coverage> {
  return project.kind === 'go' ? measuredGo(project.root, context) : measuredNode(project, context);
}

async function measuredNode(project: VerifiedProject & { kind: 'node' }, context: RunContext): Promise<Coverage> {
  const { root } = project;
  const runner = await runnerOf(project);
  const refuse = (expected: string) => fwError(VERIFICATION_ERRORS.FW_TOOLS_NO_RUNNER, { path: root, expected });
  if (!runner) throw refuse('install jest or vitest, or add files named *.test.js for node --test');
  const provider = ['@vitest/coverage-v8', '@vitest/coverage-istanbul'];
  if (runner === 'vitest' && !provider.some((name) => programIn(root, `${name}/package.json`)))
    throw refuse('install @vitest/coverage-v8, without which vitest measures no coverage');
  const { run, report, coverage } = await runTests(runner, project, { filter: '', coverage: true }, context);
  if (run.problem !== undefined || coverage === '') throw unreadable(root, whyNot(run));
  const isTest = (file: string) => report?.packages.some((each) => each.package === file) === true;
  const files = runner === 'node' ? nodeCoverage(coverage, root, isTest) : istanbulCoverage(coverage, root);
  return {
    files,
    source: run.command,
    tests: { passed: run.exitCode === 0, failures: report?.failures ?? [] },
    notes: [
      'files that no test loads are only counted where the test runner is told to, by collectCoverageFrom of jest or coverage.include of vitest',
    ],
  };
}

async function measuredGo(root: string, context: RunContext): Promise<Coverage> {
  const go = await goIn(root, context);
  const folder = await mkdtemp(path.join(tmpdir(), 'fw-cover-'));
  try {
    const profile = path.join(folder, 'cover.out');
    const module = await modulePath(root);
    // Over all packages, so that packages without tests count as not covered.
    const run = await go(
      ['test', '-json', '-coverpkg=./...', `-coverprofile=${profile}`, './...', ...GO_TEST_TIMEOUT],
      TEST_MS,
    );
    const text = await readFile(profile, 'utf8').catch(() => '');
    if (run.problem !== undefined || text === '') throw unreadable(root, whyNot(run));
    const { failures } = parseGoTests(run.stdout, module);
    return {
      files: goCoverage(merged(text), root, module),
      source: run.command,
      tests: { passed: run.exitCode === 0, failures },
      notes: [],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// With -coverpkg each package reports every block; a block ran when it ran for any of them.
function merged(profile: string): string {
  const [mode = '', ...lines] = profile.trimEnd().split('\n');
  const counts = new Map<string, number>();
  for (const line of lines) {
    const at = line.lastIndexOf(' ');
    const block = line.slice(0, at);
    counts.set(block, (counts.get(block) ?? 0) + Number(line.slice(at + 1)));
  }
  return [mode, ...[...counts].map(([block, count]) => `${block} ${count}`)].join('\n');
}

function whyNot({ problem, stderr, stdout, command }: ProgramRun): string {
  const printed = (stderr.trim() || stdout.trim()).slice(-1_000);
  return `${command} wrote none${problem === undefined ? '' : `: ${problem}`}${printed === '' ? '' : `; it printed: ${printed}`}`;
}

type Reader = (text: string, root: string, module: string) => readonly FileCoverage[];

const REPORTS: readonly (readonly [file: string, read: Reader])[] = [
  ['coverage/coverage-final.json', istanbulCoverage],
  ['coverage/lcov.info', lcovCoverage],
  ['lcov.info', lcovCoverage],
  ['cover.out', goCoverage],
  ['coverage.out', goCoverage],
];

/**
 * Reads the coverage report that an earlier run left in a project.
 * @throws FwError `FW_TOOLS_COVERAGE`
 */
export async function recordedCoverage(project: VerifiedProject, { confine }: RunContext): Promise<Coverage> {
  const { root } = project;
  const module = project.kind === 'go' ? await modulePath(root) : '';
  for (const [name, read] of REPORTS) {
    try {
      const text = await readTextFile(await confine(path.join(root, name)), { maxBytes: MAX_REPORT_BYTES });
      return { files: read(text, root, module), source: name, notes: [`read from ${name}: it is as old as that file`] };
    } catch (error) {
      if (!isFwError(error) || error.code !== 'FW_FILE_NOT_FOUND') throw error;
    }
  }
  const known = REPORTS.map(([name]) => name).join(', ');
  throw unreadable(root, `none of ${known} is there. Call without existing to run the tests`);
}
