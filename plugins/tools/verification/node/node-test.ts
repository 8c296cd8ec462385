import path from 'node:path';
import { parsedJson } from '../../../../kernel/values/index.js';
import { fileURLToPath } from 'node:url';
import { excerpt, type TestFailure, type TestPackage, type TestReport } from '../diagnostics.js';

/**
 * A reporter for `node --test` (Node.js "Test runner: Custom reporters"): one JSON text per event. It is written into a
 * temporary folder, because the process of the tests loads it from a file.
 */
export const REPORTER_SOURCE = `
export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, nesting, file, line, skip, todo, details = {} } = data;
      const { error, type: kind, duration_ms } = details;
      const { failureType, cause } = error ?? {};
      const why = error ? String((cause && cause.stack) || cause || error.message) : undefined;
      yield JSON.stringify({ type, name, nesting, file, line, skipped: Boolean(skip || todo || skip === '' || todo === ''), kind, duration_ms, failureType, why }) + '\\n';
    }
    if (type === 'test:coverage') yield JSON.stringify({ type, files: data.summary.files }) + '\\n';
  }
}
`;

interface TestEvent {
  readonly type: 'test:pass' | 'test:fail';
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly line?: number;
  readonly skipped: boolean;
  readonly kind?: string;
  readonly failureType?: string;
  readonly why?: string;
}

/** Coverage of one file as Node reports it. */
export interface NodeCoverage {
  readonly path: string;
  readonly totalLineCount: number;
  readonly coveredLineCount: number;
  readonly lines: readonly { readonly line: number; readonly count: number }[];
}

/** Reads the output of the reporter. Undefined when it is empty because the runner ended earlier. */
export function parseNodeTests(text: string, root: string): TestReport | undefined {
  const events = eventsIn(text).filter((event): event is TestEvent => 'name' in event);
  if (events.length === 0) return undefined;
  const tests = events.filter((event) => isTest(event, root));
  const failed = tests.filter(({ type, skipped }) => type === 'test:fail' && !skipped);
  const skipped = tests.filter((event) => event.skipped).length;
  return {
    passed: tests.length - failed.length - skipped,
    failed: failed.length,
    skipped,
    failures: failed.map((event) => failureOf(event, root)),
    packages: packagesOf(tests, root),
  };
}

/** Coverage by file; undefined when none was measured. */
export function parseNodeCoverage(text: string): readonly NodeCoverage[] | undefined {
  const found = eventsIn(text).find((event) => 'files' in event);
  return found && 'files' in found ? found.files : undefined;
}

type Event = TestEvent | { readonly type: 'test:coverage'; readonly files: readonly NodeCoverage[] };

function eventsIn(text: string): readonly Event[] {
  return text.split('\n').flatMap((line) => (parsedJson(line) as Event | undefined) ?? []);
}

// Suites fail with their tests and are not counted. A test file counts as a test only if it failed as a whole.
function isTest({ kind, failureType, nesting, name, file }: TestEvent, root: string): boolean {
  if (kind === 'suite' || failureType === 'subtestsFailed') return false;
  const wholeFile = nesting === 0 && file !== undefined && path.resolve(root, name) === fileOf(file);
  return !wholeFile || failureType !== undefined;
}

function failureOf({ name, file, line, why = '' }: TestEvent, root: string): TestFailure {
  const where = file === undefined ? name : relative(file, root);
  return { name, file: where, ...(line !== undefined && { line }), detail: excerpt(why) };
}

function packagesOf(tests: readonly TestEvent[], root: string): TestPackage[] {
  const status = new Map<string, TestPackage['status']>();
  for (const { file, type, skipped } of tests) {
    const name = file === undefined ? '' : relative(file, root);
    if (name !== '') status.set(name, type === 'test:fail' && !skipped ? 'FAIL' : (status.get(name) ?? 'ok'));
  }
  return [...status].map(([name, outcome]) => ({ package: name, status: outcome }));
}

const fileOf = (file: string) => (file.startsWith('file:') ? fileURLToPath(file) : file);
const relative = (file: string, root: string) => path.relative(root, fileOf(file)).split(path.sep).join('/');
