import { existsSync } from 'node:fs';
import path from 'node:path';
import { fwError, type ToolContext } from '../../../kernel/index.js';
import { toInstall } from '../../../kernel/plugin/index.js';
import { runProcess } from '../../../kernel/process/index.js';
import { runningApps } from '../../../kernel/running/index.js';
import { optionalText } from '../../../kernel/schema/index.js';
import { objectOf, parsedJson } from '../../../kernel/values/index.js';
import { WORKBENCH_ERRORS } from './errors.js';

/** What a tool of the workbench needs of a call. */
export type WorkContext = Pick<ToolContext, 'signal' | 'workspace' | 'progress' | 'confine'>;

/** Which database of which project. */
export const Where = {
  path: optionalText('project root'),
  database: optionalText('name of one of several'),
};

/** Flags of a command of `fw` that works on the development database. */
export const developmentFlags = (database: string | undefined): readonly string[] => [
  ...['--profile', 'dev', '--json'],
  ...(database === undefined ? [] : ['--database', database]),
];

const BUILD_MS = 120_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_SAID = 2_000;

/**
 * The program `fw` that a project has installed.
 * @throws FwError `FW_TOOLS_WORKBENCH_PROJECT`
 */
export function fwOf(root: string): string {
  const refuse = (problem: string) => fwError(WORKBENCH_ERRORS.FW_TOOLS_WORKBENCH_PROJECT, { path: root, problem });
  if (!existsSync(path.join(root, 'app.config.ts'))) throw refuse('there is no app.config.ts');
  const program = path.join(root, 'node_modules/fw/dist/kernel/bin/fw.js');
  if (!existsSync(program)) throw refuse(`node_modules/fw is not there; ${toInstall(root)}`);
  return program;
}

/** Runs a command of the project's own `fw`, as {@link runProgram}. @throws also FwError `FW_TOOLS_WORKBENCH_PROJECT` */
export async function runFw(
  root: string,
  args: readonly string[],
  timeoutMs: number,
  context: WorkContext,
): Promise<string> {
  const program = {
    command: process.execPath,
    args: [fwOf(root), ...args],
    name: `fw ${args.slice(0, 2).join(' ')}`,
    inherit: ['FW_MCP_LIVE_ALLOWLIST'],
  };
  return runProgram(root, program, timeoutMs, context);
}

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** What messages call it. */
  readonly name: string;
  /** Variables that it inherits besides the common ones. */
  readonly inherit?: readonly string[];
}

/**
 * Runs a program in a project as a child that sees no variable of this process but the common ones, and no shell.
 *
 * @returns what it printed
 * @throws FwError `FW_TOOLS_WORKBENCH_COMMAND` with what it said
 */
export async function runProgram(
  root: string,
  { command, args, name, inherit = [] }: Program,
  timeoutMs: number,
  { signal }: WorkContext,
): Promise<string> {
  const { exitCode, stdout, stderr, timedOut } = await runProcess({
    command,
    args,
    cwd: root,
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
    inherit,
    env: { NO_COLOR: '1', CI: 'true' },
  });
  if (exitCode === 0) return stdout;
  const reason = timedOut ? `it took longer than ${timeoutMs / 1000} seconds` : reasonIn(`${stderr}\n${stdout}`);
  const said = jsonError(stdout) ?? `\`${name}\` did not do it: ${reason}`;
  throw fwError(WORKBENCH_ERRORS.FW_TOOLS_WORKBENCH_COMMAND, { said: said.slice(0, MAX_SAID) });
}

// A coded error has everything from its code on; what a compiler says stands at the end.
function reasonIn(output: string): string {
  const text = output.trim();
  const coded = /^(?:error: )?FW_[A-Z_]+: [\s\S]*/m.exec(text)?.[0];
  return (coded ?? text.slice(-MAX_SAID)).slice(0, MAX_SAID) || 'it printed nothing';
}

// What a command with --json printed as its error; undefined where it ended in another way than by an error of its own.
function jsonError(text: string): string | undefined {
  const { error } = objectOf(parsedJson(text.slice(text.indexOf('{'))));
  const { message } = objectOf(error);
  return typeof message === 'string' ? message : undefined;
}

/** The same for a command with `--json`. */
export async function jsonOfFw<Answer>(
  root: string,
  args: readonly string[],
  timeoutMs: number,
  context: WorkContext,
): Promise<Answer> {
  return JSON.parse(await runFw(root, args, timeoutMs, context)) as Answer;
}

/** Brings generated/ and dist/ up to date, unless a `fw dev` sees to that. */
export async function built(root: string, context: WorkContext): Promise<void> {
  fwOf(root);
  const running = await runningApps(root);
  if (running.some(({ command, state }) => command === 'dev' && state === 'running')) return;
  context.progress(0, 2, 'building');
  await runFw(root, ['codegen'], BUILD_MS, context);
  // Types are for fw_verify_project: what is half written shall not keep anybody from a look at the database.
  await runFw(root, ['build', '--no-check'], BUILD_MS, context);
  context.progress(1, 2, 'built');
}
