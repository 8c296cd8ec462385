import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunContext } from '../project.js';
import {
  diagnosedStep,
  erroredStep,
  factsOf,
  type ProgramRun,
  restOf,
  type Step,
  stepOf,
  testedStep,
} from '../step.js';
import { parseGo } from './diagnostics.js';
import type { RunGo } from './program.js';
import { parseGoTests } from './tests.js';

const BUILD_MS = 120_000;
const TEST_MS = 300_000;
// Shorter than the timeout of the call, so that Go prints the stacks of hanging tests.
export const GO_TEST_TIMEOUT = ['-timeout', '285s'];

/** `go build ./...`. */
export async function goBuildStep(root: string, go: RunGo, context: RunContext): Promise<Step> {
  return compiled('build', await go(['build', './...'], BUILD_MS), root, context);
}

/** `go vet ./...`. */
export async function goVetStep(root: string, go: RunGo, context: RunContext): Promise<Step> {
  return compiled('vet', await go(['vet', './...'], BUILD_MS), root, context);
}

const WORDS = {
  build: { good: 'it builds', bad: 'build error(s)' },
  vet: { good: 'no findings', bad: 'finding(s)' },
} as const;

async function compiled(name: keyof typeof WORDS, run: ProgramRun, root: string, context: RunContext): Promise<Step> {
  if (run.problem !== undefined) return erroredStep(name, run);
  const { diagnostics, rest } = parseGo(`${run.stdout}\n${run.stderr}`);
  const green = run.exitCode === 0;
  return diagnosedStep(
    name,
    {
      status: green ? 'passed' : diagnostics.length > 0 ? 'failed' : 'errored',
      summary: green
        ? WORDS[name].good
        : diagnostics.length > 0
          ? `${diagnostics.length} ${WORDS[name].bad}`
          : 'the go command failed, see unparsed_output',
      ...factsOf(run),
      diagnostics: [...diagnostics],
      ...restOf(rest),
    },
    root,
    context,
  );
}

/** `go test ./...`. */
export async function goTestStep(root: string, filter: string, go: RunGo, context: RunContext): Promise<Step> {
  const args = ['test', '-json', './...', ...(filter === '' ? [] : ['-run', filter]), ...GO_TEST_TIMEOUT];
  const run = await go(args, TEST_MS);
  if (run.problem !== undefined) return erroredStep('test', run);
  const report = parseGoTests(run.stdout, await modulePath(root));
  if (run.exitCode === 0 || report.failures.length > 0) return testedStep(run, report, root, context);
  // No test ran because the test code does not compile.
  const { diagnostics, rest } = parseGo(`${report.rest}\n${run.stderr}`);
  const summary = diagnostics.length > 0 ? 'the tests do not compile' : 'go test failed, see unparsed_output';
  const facts = { ...factsOf(run), diagnostics: [...diagnostics], packages: [...report.packages], ...restOf(rest) };
  return diagnosedStep('test', { status: 'failed', summary, ...facts }, root, context);
}

/** A skipped step: the checked conventions are about TypeScript. */
export function goIdiomsStep(): Step {
  return stepOf('idioms', 'skipped', 'the conventions are about TypeScript; go vet has checked the Go code');
}

/** Module path from go.mod. */
export async function modulePath(root: string): Promise<string> {
  return /^module\s+(\S+)/m.exec(await readFile(path.join(root, 'go.mod'), 'utf8'))?.[1]?.replaceAll('"', '') ?? '';
}
