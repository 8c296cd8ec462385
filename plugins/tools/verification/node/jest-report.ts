import path from 'node:path';
import { stackFrames } from '../../../../kernel/errors/index.js';
import { parsedJson } from '../../../../kernel/values/index.js';
import { excerpt, type TestReport } from '../diagnostics.js';

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message?: string;
    readonly status: string;
    readonly startTime?: number;
    readonly endTime?: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly location?: { readonly line: number } | null;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Reads the JSON report of jest, which vitest writes as well. Undefined when it is something else. */
export function parseTestReport(text: string, root: string): TestReport | undefined {
  const report = parsedJson(text) as JestReport | undefined;
  if (typeof report?.numPassedTests !== 'number') return undefined;
  const relative = (file: string) => path.relative(root, file).split(path.sep).join('/');
  const failures = report.testResults.flatMap(({ name, message = '', status, assertionResults }) => {
    const file = relative(name);
    const failed = assertionResults.filter((each) => each.status === 'failed');
    // A file that could not be loaded has a message but no failed tests.
    if (failed.length === 0 && status === 'failed') return [{ name: file, file, detail: excerpt(message) }];
    return failed.map(({ fullName, location, failureMessages = [] }) => {
      const [why = ''] = failureMessages;
      const line = location?.line ?? lineIn(why, name);
      return { name: fullName, file, ...(line !== undefined && { line }), detail: excerpt(why) };
    });
  });
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failures,
    packages: report.testResults.map(({ name, status, startTime, endTime }) => ({
      package: relative(name),
      status: status === 'failed' ? ('FAIL' as const) : ('ok' as const),
      ...(startTime && endTime && { elapsed_seconds: Math.max(0, Math.round(endTime - startTime) / 1000) }),
    })),
  };
}

// Where a stack enters the test file.
function lineIn(stack: string, file: string): number | undefined {
  return stackFrames(stack).find((frame) => frame.file === file)?.line;
}
