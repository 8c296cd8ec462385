import type { Diagnostic, TestFailure } from './diagnostics.js';
import type { Finding } from './idioms/finding.js';
import type { Step } from './step.js';

/** Characters that the findings of a verification take together: what an agent corrects before it verifies again. */
const MOST_CHARACTERS = 2_800;
const MOST_REST = 1_000;
const MOST_PACKAGES = 6;

interface Alike {
  readonly alike?: number;
}

/** Failures of one cause as the first of them, with the number of the others. */
export function oncePerCause(failures: readonly TestFailure[]): readonly TestFailure[] {
  return once(failures, ({ detail }) => withoutPlaces(detail));
}

/**
 * The first findings of each step within a bound for all steps, each cause once; `total_findings` says how many there are.
 * A step that has any keeps at least one.
 */
export function firstFindings(steps: readonly Step[]): Step[] {
  let left = MOST_CHARACTERS;
  const within = <Each>(all: readonly Each[]): Each[] => {
    const kept: Each[] = [];
    for (const each of all) {
      left -= JSON.stringify(each).length;
      if (left < 0 && kept.length > 0) break;
      kept.push(each);
    }
    return kept;
  };
  return steps.map((step) => {
    const { diagnostics, failures, findings, packages, unparsed_output: rest, ...facts } = step;
    const shown = {
      diagnostics: within(once(diagnostics, causeOfDiagnostic)),
      failures: within(oncePerCause(failures)),
      findings: within(once(findings, causeOfFinding)),
    };
    const total = step.total_findings ?? diagnostics.length + failures.length + findings.length;
    const listed = shown.diagnostics.length + shown.failures.length + shown.findings.length;
    return {
      ...facts,
      ...shown,
      ...(total > listed && { total_findings: total }),
      packages: failedFirst(packages).slice(0, MOST_PACKAGES),
      ...(rest !== undefined && { unparsed_output: rest.slice(-MOST_REST) }),
    };
  });
}

const causeOfDiagnostic = ({ code = '', message }: Diagnostic): string => `${code} ${message}`;
const causeOfFinding = ({ rule, message }: Finding): string => `${rule} ${message}`;

// Where each test stood when it failed is no part of why.
function withoutPlaces(detail: string): string {
  return detail
    .split('\n')
    .filter((line) => !/^\s+at /.test(line))
    .join('\n');
}

function once<Each extends object>(all: readonly Each[], causeOf: (each: Each) => string): readonly (Each & Alike)[] {
  const groups = new Map<string, Each & Alike>();
  for (const each of all) {
    const first = groups.get(causeOf(each));
    groups.set(causeOf(each), first ? { ...first, alike: (first.alike ?? 0) + 1 } : each);
  }
  return [...groups.values()];
}

const failedFirst = (packages: Step['packages']): Step['packages'] =>
  packages.toSorted((a, b) => Number(b.status === 'FAIL') - Number(a.status === 'FAIL'));
