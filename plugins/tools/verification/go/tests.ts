import path from 'node:path';
import { parsedJson } from '../../../../kernel/values/index.js';
import { excerpt, type TestFailure, type TestPackage, type TestReport } from '../diagnostics.js';

// One line of `go test -json` (https://pkg.go.dev/cmd/test2json).
interface TestEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly Elapsed?: number;
}

/** Results of `go test -json`, with the lines that are not events: compiler errors. */
interface GoTests extends TestReport {
  readonly rest: string;
}

/**
 * Reads what `go test -json` prints.
 * @param module - path of the module, by which folders follow from packages
 */
export function parseGoTests(output: string, module: string): GoTests {
  const events: TestEvent[] = [];
  const rest: string[] = [];
  for (const line of output.split('\n')) {
    const event = line.startsWith('{') ? (parsedJson(line) as TestEvent | undefined) : undefined;
    if (event?.Action) events.push(event);
    else if (line.trim() !== '') rest.push(line);
  }
  const ended = events.filter(({ Test, Action }) => Test !== undefined && /^(pass|fail|skip)$/.test(Action));
  // A test fails with its subtests; only the innermost one has the reason.
  const leaves = ended.filter((each) => !ended.some((other) => isPart(other, each)));
  const count = (action: string) => leaves.filter(({ Action }) => Action === action).length;
  return {
    passed: count('pass'),
    failed: count('fail'),
    skipped: count('skip'),
    failures: leaves.filter(({ Action }) => Action === 'fail').map((each) => failureOf(each, events, module)),
    packages: packagesOf(events),
    rest: rest.join('\n'),
  };
}

const isPart = (part: TestEvent, whole: TestEvent) =>
  part.Package === whole.Package && part.Test?.startsWith(`${whole.Test ?? ''}/`) === true;

function failureOf(
  { Package: name = '', Test: test = '' }: TestEvent,
  events: readonly TestEvent[],
  module: string,
): TestFailure {
  const printed = events
    .filter((event) => event.Action === 'output' && event.Package === name && event.Test === test)
    .map(({ Output = '' }) => Output)
    .filter((line) => !/^\s*(=== |--- )/.test(line))
    .join('');
  const folder = name === module ? '' : name.slice(module.length + 1);
  const [, file, line] = /^\s*([\w.-]+\.go):(\d+): /m.exec(printed) ?? [];
  return {
    name: test,
    file: file === undefined ? folder || '.' : path.posix.join(folder, file),
    ...(line !== undefined && { line: Number(line) }),
    detail: excerpt(printed),
  };
}

function packagesOf(events: readonly TestEvent[]): TestPackage[] {
  return events
    .filter(({ Test, Action }) => Test === undefined && /^(pass|fail|skip)$/.test(Action))
    .map(({ Package: name = '', Action, Elapsed }) => ({
      package: name,
      status: Action === 'fail' ? ('FAIL' as const) : Action === 'skip' ? ('no-test-files' as const) : ('ok' as const),
      ...(Elapsed !== undefined && { elapsed_seconds: Elapsed }),
    }));
}
