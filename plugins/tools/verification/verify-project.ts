import { brief, fwError, type Static, Type } from '../../../kernel/index.js';
import { Integer, optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { VERIFICATION_ERRORS } from './errors.js';
import { goIn } from './go/program.js';
import { goBuildStep, goIdiomsStep, goTestStep, goVetStep } from './go/steps.js';
import { idiomsStep } from './idioms/step.js';
import { lintStep } from './node/eslint.js';
import { testStep } from './node/test-step.js';
import { typesStep } from './node/tsc.js';
import { projectAt, type RunContext, type VerifiedProject } from './project.js';
import { Step, stepOf } from './step.js';

/** Result of a verification (SPEC "MCP server operations"). */
export const Verification = Type.Object({
  path: Text,
  kind: Type.Union([Type.Literal('node'), Type.Literal('go')]),
  ok: Type.Boolean({ description: 'no step failed or errored' }),
  steps: Type.Array(Step),
  first_failure: optional(Text),
  counts: Type.Object({
    build_errors: Integer,
    vet_findings: Integer,
    test_failures: Integer,
    idiom_errors: Integer,
    idiom_warnings: Integer,
  }),
  duration_ms: Integer,
  tests_skipped: YesNo,
  notes: Texts,
});
export type Verification = Static<typeof Verification>;

/** What to verify. */
interface VerificationRequest {
  /** Absolute path of the project. */
  readonly root: string;
  readonly skipTests?: boolean;
  /** Regular expression over the names of tests; default all. */
  readonly testFilter?: string;
}

/**
 * Verifies a project: types, lint, tests, conventions; or build, vet and tests of a Go module. Its code runs in child processes,
 * without a shell.
 *
 * @throws FwError `FW_TOOLS_NO_PACKAGE`, `FW_TOOLS_PACKAGE`, `FW_TOOLS_TEST_FILTER`, `FW_TOOLS_NO_GO`
 */
export async function verifyProject(request: VerificationRequest, context: RunContext): Promise<Verification> {
  const from = performance.now();
  const { root, testFilter = '' } = request;
  assertFilter(testFilter);
  const project = await projectAt(root, context);
  const steps = await stepsOf(project, request, context);
  const failed = steps.find(({ status }) => status === 'failed' || status === 'errored');
  return {
    path: root,
    kind: project.kind,
    ok: failed === undefined,
    steps,
    ...(failed && { first_failure: firstFailure(failed) }),
    counts: countsOf(steps),
    duration_ms: Math.round(performance.now() - from),
    tests_skipped: steps.some(({ name, status }) => name === 'test' && status === 'skipped'),
    notes: testFilter === '' ? [] : [`only tests that match ${testFilter} ran`],
  };
}

/**
 * Runs one file of tests of a project, or the tests in it whose name matches.
 * @throws FwError `FW_TOOLS_NO_PACKAGE`, `FW_TOOLS_PACKAGE`, `FW_TOOLS_TEST_FILTER`
 */
export async function runOneTest(
  root: string,
  { file, filter }: { readonly file: string; readonly filter: string },
  context: RunContext,
): Promise<Step> {
  assertFilter(filter);
  const project = await projectAt(root, context);
  if (project.kind === 'node') return testStep(project, filter, context, file);
  return stepOf('test', 'skipped', 'this is a Go module: run fw_verify_project with test_filter');
}

function assertFilter(filter: string): void {
  if (!/^(?!-)[\w\s.^$|()[\]*+?/{},:-]{0,256}$/.test(filter))
    throw fwError(VERIFICATION_ERRORS.FW_TOOLS_TEST_FILTER, { filter });
}

type Steps = Readonly<Record<'build' | 'vet' | 'test' | 'idioms', () => Promise<Step> | Step>>;

const WORDS = {
  node: { build: 'checking types', vet: 'linting', test: 'running tests', idioms: 'checking conventions' },
  go: { build: 'building', vet: 'vetting', test: 'running tests', idioms: 'checking conventions' },
} as const;

async function stepsOf(
  project: VerifiedProject,
  { skipTests = false, testFilter = '' }: VerificationRequest,
  context: RunContext,
): Promise<Step[]> {
  const steps =
    project.kind === 'go' ? await goSteps(project.root, testFilter, context) : nodeSteps(project, testFilter, context);
  const names = ['build', 'vet', 'test', 'idioms'] as const;
  const done: Step[] = [];
  for (const name of names) {
    context.progress(done.length, names.length, WORDS[project.kind][name]);
    const why = context.signal.aborted
      ? 'the call was cancelled'
      : name === 'test'
        ? whyNot(skipTests, done)
        : undefined;
    done.push(why === undefined ? await steps[name]() : stepOf(name, 'skipped', why));
  }
  context.progress(names.length, names.length, 'done');
  return done;
}

function whyNot(skipTests: boolean, [build]: readonly Step[]): string | undefined {
  if (skipTests) return 'the call asked for it';
  return build?.status === 'failed' ? 'it does not compile' : undefined;
}

function nodeSteps(project: VerifiedProject & { kind: 'node' }, filter: string, context: RunContext): Steps {
  const { root } = project;
  return {
    build: () => typesStep(root, context),
    vet: () => lintStep(root, context),
    test: () => testStep(project, filter, context),
    idioms: () => idiomsStep(root, context),
  };
}

async function goSteps(root: string, filter: string, context: RunContext): Promise<Steps> {
  const go = await goIn(root, context);
  return {
    build: () => goBuildStep(root, go, context),
    vet: () => goVetStep(root, go, context),
    test: () => goTestStep(root, filter, go, context),
    idioms: goIdiomsStep,
  };
}

function countsOf(steps: readonly Step[]): Verification['counts'] {
  const step = (name: string) => steps.find((each) => each.name === name);
  const findings = step('idioms')?.findings ?? [];
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    build_errors: step('build')?.total_findings ?? step('build')?.diagnostics.length ?? 0,
    vet_findings: step('vet')?.total_findings ?? step('vet')?.diagnostics.length ?? 0,
    test_failures: step('test')?.total_findings ?? step('test')?.failures.length ?? 0,
    idiom_errors: errors,
    idiom_warnings: findings.length - errors,
  };
}

function firstFailure({ name, summary, diagnostics, failures: [failure], findings }: Step): string {
  const [found] = [...diagnostics, ...findings.filter(({ severity }) => severity === 'error')];
  if (found) return `${found.file}:${found.line} ${found.message}`;
  if (!failure) return `${name}: ${summary}`;
  return `${failure.file}${failure.line === undefined ? '' : `:${failure.line}`}: ${failure.name}`;
}

/** Characters of the first failure in the verdict; the whole stands among the diagnostics. */
const MOST_OF_FIRST = 240;

/** The outcome in one line. */
export function verdict({ ok, steps, tests_skipped: untested, first_failure: first }: Verification): string {
  const told = steps.map(({ name, status, summary }) => `${name} ${status} (${summary})`).join(', ');
  return ok
    ? `Green${untested ? ', but no test ran' : ''}: ${told}.`
    : `Not green: ${told}. First: ${brief(first ?? '', MOST_OF_FIRST).replace(/\.$/, '')}.`;
}
