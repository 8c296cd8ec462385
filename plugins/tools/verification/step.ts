import { type Static, Type } from '../../../kernel/index.js';
import { Integer, optional, Text } from '../../../kernel/schema/index.js';
import { Diagnostic, TestFailure, TestPackage, type TestReport } from './diagnostics.js';
import { Finding } from './idioms/finding.js';
import type { RunContext } from './project.js';
import { withSource } from './source-excerpt.js';

const MOST_FINDINGS = 100;
const REST_CHARACTERS = 4_000;

/** One step of a verification. */
export const Step = Type.Object({
  name: Type.String({ description: 'build, vet, test or idioms' }),
  status: Type.Union([
    Type.Literal('passed'),
    Type.Literal('failed'),
    Type.Literal('skipped'),
    Type.Literal('errored'),
  ]),
  command: optional(Text),
  duration_ms: Integer,
  summary: Text,
  diagnostics: Type.Array(Diagnostic),
  failures: Type.Array(TestFailure),
  findings: Type.Array(Finding),
  packages: Type.Array(TestPackage),
  tests: optional(Type.Object({ passed: Integer, failed: Integer, skipped: Integer })),
  total_findings: optional(Type.Integer({ description: 'when not all of them are listed' })),
  unparsed_output: optional(Text),
});
export type Step = Static<typeof Step>;

/** Facts of a step besides its name, status and summary. */
type StepFacts = Partial<Omit<Step, 'name' | 'status' | 'summary'>>;

/** Result of a program that a step ran. */
export interface ProgramRun {
  /** As a person would type it. */
  readonly command: string;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** Reason why it did not run to its end; undefined when it did. */
  readonly problem: string | undefined;
}

/** A step with its facts. */
export function stepOf(name: string, status: Step['status'], summary: string, facts: StepFacts = {}): Step {
  const empty = { diagnostics: [], failures: [], findings: [], packages: [] };
  return { name, status, summary, duration_ms: 0, ...empty, ...facts };
}

/** Command and duration of a run. */
export function factsOf({ command, durationMs }: ProgramRun): StepFacts {
  return { command, duration_ms: Math.round(durationMs) };
}

/** A step whose program did not run to its end. */
export function erroredStep(name: string, run: ProgramRun): Step {
  return stepOf(name, 'errored', run.problem ?? '', { ...factsOf(run), ...restOf(run.stderr || run.stdout) });
}

/** The end of the unparsed output. */
export function restOf(text: string): Pick<StepFacts, 'unparsed_output'> {
  const rest = text.trim();
  return rest === '' ? {} : { unparsed_output: rest.slice(-REST_CHARACTERS) };
}

/** A step of a compiler or linter, with the source lines of its messages. */
export async function diagnosedStep(
  name: string,
  { status, summary, ...facts }: StepFacts & Pick<Step, 'status' | 'summary'>,
  root: string,
  context: RunContext,
): Promise<Step> {
  const all = facts.diagnostics ?? [];
  const shown = await withSource(root, all.slice(0, MOST_FINDINGS), context);
  const cut = all.length > shown.length ? { total_findings: all.length } : {};
  return stepOf(name, status, summary, { ...facts, ...cut, diagnostics: shown });
}

/** A step of a test runner. If the runner fails without naming a test, the step shows its output. */
export async function testedStep(
  run: ProgramRun,
  { passed, failed, skipped, failures, packages }: TestReport,
  root: string,
  context: RunContext,
): Promise<Step> {
  const green = run.exitCode === 0 && failures.length === 0;
  const shown = await withSource(root, failures.slice(0, MOST_FINDINGS), context);
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  // A filter with a slip in it matches nothing, and a runner ends well then.
  const none = green && passed + failed === 0;
  const status = green ? (none ? 'skipped' : 'passed') : 'failed';
  return stepOf('test', status, none ? `no test ran: ${counts}` : counts, {
    ...factsOf(run),
    tests: { passed, failed, skipped },
    failures: shown,
    ...(failures.length > shown.length && { total_findings: failures.length }),
    packages: packages.slice(0, MOST_FINDINGS),
    ...(green || failures.length > 0 ? {} : restOf(run.stderr || run.stdout)),
  });
}
