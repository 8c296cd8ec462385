import path from 'node:path';
import type { CommandAction } from '../../../kernel/contracts/command.js';
import { confinePath, openRoots } from '../../../kernel/fs/index.js';
import { untilAskedToStop } from '../../../kernel/process/index.js';
import type { Step } from './step.js';
import { type Verification, verifyProject } from './verify-project.js';

interface VerifyOptions {
  readonly tests: boolean;
  readonly filter?: string;
  readonly json?: boolean;
}

/** `fw verify`: `fw_verify_project` for people. Exit code 0 when nothing is wrong, 1 otherwise. */
const verify: CommandAction<VerifyOptions, [folder: string]> = async (call) => {
  const {
    args: [folder],
    options: { tests, filter, json },
    cwd,
    out,
    progress,
  } = call;
  const roots = await openRoots([path.resolve(cwd, folder)]);
  const result = await progress('verifying', (next) =>
    verifyProject(
      { root: roots[0].resolved, skipTests: !tests, ...(filter !== undefined && { testFilter: filter }) },
      {
        signal: untilAskedToStop().aborted,
        confine: async (given) => (await confinePath(given, roots)).resolved,
        progress: (done, total, message) => next(`[${done}/${total ?? done}] ${message}`),
      },
    ),
  );
  out(json ? `${JSON.stringify(result, null, 2)}\n` : report(result));
  return result.ok ? 0 : 1;
};

export default verify;

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
