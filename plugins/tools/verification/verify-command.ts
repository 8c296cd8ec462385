import path from 'node:path';
import { confinePath, openRoots } from '../../../kernel/fs/index.js';
import type { Step } from './step.js';
import { type Verification, verifyProject } from './verify-project.js';

/** Options of `fw verify`. */
export interface VerifyCommand {
  /** Folder of the project, relative to the current one. */
  readonly folder: string;
  readonly tests: boolean;
  readonly testFilter?: string;
  /** Prints the result as JSON. */
  readonly json?: boolean;
  readonly signal: AbortSignal;
  out(text: string): void;
  /** For what is going on. */
  err(text: string): void;
}

/**
 * `fw verify`: what `fw_verify_project` does, for a person.
 * @returns exit code: 0 when nothing is wrong, 1 otherwise
 */
export async function verifyCommand({
  folder,
  tests,
  testFilter,
  json,
  signal,
  out,
  err,
}: VerifyCommand): Promise<number> {
  const roots = await openRoots([path.resolve(folder)]);
  const root = roots[0].resolved;
  const result = await verifyProject(
    { root, skipTests: !tests, ...(testFilter !== undefined && { testFilter }) },
    {
      signal,
      confine: async (given) => (await confinePath(given, roots)).resolved,
      progress: (done, total, message) => (json ? undefined : err(`[${done}/${total ?? done}] ${message}\n`)),
    },
  );
  out(json ? `${JSON.stringify(result, null, 2)}\n` : report(result));
  return result.ok ? 0 : 1;
}

function report(result: Verification): string {
  const lines = result.steps.flatMap(linesOf);
  return `${[...lines, ...result.notes, result.ok ? 'Green.' : `Not green. First: ${result.first_failure ?? ''}`].join('\n')}\n`;
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', errored: 'ERR ', skipped: 'skip' } as const;

function linesOf({ name, status, summary, duration_ms: ms, diagnostics, failures, findings, ...rest }: Step): string[] {
  const took = ms > 0 ? ` (${(ms / 1000).toFixed(1)} s)` : '';
  const output = status === 'passed' ? '' : (rest.unparsed_output ?? '');
  return [
    `${MARKS[status]} ${name.padEnd(6)} ${summary}${took}`,
    ...diagnostics.flatMap(({ file, line, column, code, message, excerpt }) => [
      `       ${[file, line, column].filter((each) => each !== undefined).join(':')} ${code ? `${code} ` : ''}${message}`,
      ...(excerpt === undefined ? [] : [`         | ${excerpt}`]),
    ]),
    ...failures.flatMap(({ name: test, file, line, detail }) => [
      `       ${file}${line === undefined ? '' : `:${line}`} ${test}`,
      ...detail.split('\n').map((text) => `         | ${text}`),
    ]),
    ...findings.flatMap(({ file, line, severity, rule, message, fix }) => [
      `       ${file}:${line} ${severity} ${rule}: ${message}`,
      `         | ${fix}`,
    ]),
    ...output.split('\n').flatMap((text) => (text === '' ? [] : [`         | ${text}`])),
  ];
}
