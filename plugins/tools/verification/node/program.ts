import path from 'node:path';
import { fileAbove } from '../../../../kernel/fs/index.js';
import { isFwError, runProcess, type RunRequest } from '../../../../kernel/index.js';
import { toInstall } from '../../../../kernel/plugin/index.js';
import type { RunContext } from '../project.js';
import type { ProgramRun } from '../step.js';

const OUTPUT_BYTES = 4 << 20;

/** A program that is run by this Node, never through a shell or npx. */
export interface NodeProgram {
  readonly root: string;
  /** Path below node_modules, `typescript/bin/tsc`; none for Node's own test runner. */
  readonly script?: string;
  readonly args: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Path of an installed program: in the node_modules of the project or of a folder above. */
export const programIn = (root: string, script: string): string | undefined =>
  fileAbove(root, path.join('node_modules', script));

/** Runs a program of the project to its end; when the call is cancelled, ends it and its child processes. */
export async function runNode(
  { root, script, args, nodeArgs = [], env = {}, timeoutMs }: NodeProgram,
  context: RunContext,
): Promise<ProgramRun> {
  const shown = script === undefined ? [] : [`node_modules/${script}`];
  const command = ['node', ...nodeArgs, ...shown, ...args].join(' ');
  const file = script === undefined ? undefined : programIn(root, script);
  if (script !== undefined && file === undefined) {
    const name = script.startsWith('@') ? script.split('/', 2).join('/') : script.split('/')[0];
    return notRun(command, `${name} is not installed; ${toInstall(root)}`);
  }
  return runChild(command, {
    command: process.execPath,
    args: [...nodeArgs, ...(file === undefined ? [] : [file]), ...args],
    cwd: root,
    timeoutMs,
    maxOutputBytes: OUTPUT_BYTES,
    signal: context.signal,
    env: { CI: 'true', NO_COLOR: '1', ...env },
  });
}

/** Runs a child process; if it did not run to its end, the result has the reason as a sentence. */
export async function runChild(command: string, request: RunRequest): Promise<ProgramRun> {
  try {
    const { exitCode, stdout, stderr, durationMs, timedOut, aborted } = await runProcess(request);
    const problem = timedOut
      ? `it took longer than ${request.timeoutMs / 1000} seconds and was ended`
      : aborted
        ? 'the call was cancelled'
        : undefined;
    return { command, exitCode, stdout, stderr, durationMs, problem };
  } catch (error) {
    if (!isFwError(error)) throw error;
    return notRun(command, error.message);
  }
}

function notRun(command: string, problem: string): ProgramRun {
  return { command, exitCode: null, stdout: '', stderr: '', durationMs: 0, problem };
}
