import { CommanderError } from 'commander';
import type { CommandAction, CommandCall } from '../contracts/command.js';
import { fwError, isFwError, messageOf } from '../errors/index.js';
import { guideCommand } from '../invocation/index.js';
import { contributionError, loadFunction } from '../manifests/index.js';
import { exitWhenAskedToStop } from '../process/stop-request.js';
import { allCommands, type BroughtCommand, type Commands, isOwnCommand, ownCommands } from './brought-commands.js';
import { CLI_ERRORS } from './errors.js';
import { commandOutput } from './progress.js';
import { type ParsedCall, programOf, QUIET } from './program.js';

/**
 * Runs `fw` with arguments. Commands are known from manifests; the code of a command is loaded when it runs.
 *
 * @returns the exit code: 0 done, 1 failed (the message is on standard error), 2 wrong usage
 */
export async function runCli(args: readonly string[]): Promise<number> {
  exitWhenAskedToStop();
  let exitCode = 0;
  try {
    const known = await commandsFor(args);
    const program = programOf(known.commands, async (command, call) => {
      exitCode = await run(command, call, args);
    });
    await program.parseAsync(args, { from: 'user' }).finally(() => tell(known, args));
    return exitCode;
  } catch (error) {
    return report(error, asksFor(JSON_FLAG, args));
  }
}

const JSON_FLAG = '--json';

/** Whether a flag was typed; words after `--` are no flags. */
const asksFor = (flag: string, typed: readonly string[]) =>
  typed.slice(0, typed.includes('--') ? typed.indexOf('--') : undefined).includes(flag);

// Commands of fw itself run without reading package.json, so a broken package cannot keep them from running.
async function commandsFor(args: readonly string[]): Promise<Commands> {
  const own = await ownCommands();
  const [word = ''] = args;
  if (isOwnCommand(own, word) || isVersion(word)) return { commands: own, problems: [], missing: [] };
  const all = await allCommands(process.cwd());
  const isThere = all.commands.some(({ command }) => [command.name.split(' ')[0], command.alias].includes(word));
  const [problem] = all.problems;
  // The word names no known command, and a manifest with problems may be the one that defines it.
  if (isForAll(word) || isThere || problem === undefined) return all;
  for (const each of all.problems.slice(1)) process.stderr.write(`${explained(each)}\n`);
  throw problem;
}

const isVersion = (word: string) => word === '--version' || word === '-V';

/** Whether the word asks about all commands. */
const isForAll = (word: string) => word === '' || word === 'help' || word.startsWith('-');

/**
 * Prints, after a list of commands, which packages' commands are missing from it, and after an unknown command, which package may have it.
 */
function tell({ commands, problems, missing }: Commands, [word = '']: readonly string[]): void {
  if (isForAll(word)) for (const each of problems) process.stderr.write(`${explained(each)}\n`);
  const isUnknown = !isForAll(word) && !isOwnCommand(commands, word);
  if (missing.length > 0 && isUnknown)
    process.stderr.write(
      `These packages of package.json are not installed, and may bring commands: ${missing.join(', ')}\n`,
    );
}

async function run(brought: BroughtCommand, call: ParsedCall, typed: readonly string[]): Promise<number> {
  const { command, by, field } = brought;
  const cwd = process.cwd();
  const { settleInterruptedWrites } = await import('./interrupted-writes.js');
  await settleInterruptedWrites(command, typed, cwd);
  const contribution = { by, field: `${field}.module`, module: command.module as string };
  const action = await loadFunction<CommandAction<unknown, readonly unknown[]>>(contribution);
  const isForProgram = asksFor(JSON_FLAG, typed);
  const output = commandOutput({ out: process.stdout, err: process.stderr }, isForProgram || asksFor(QUIET, typed));
  const said = { out: '', err: '' };
  const noted = {
    out: (text: string) => {
      said.out ||= text;
      output.out(text);
    },
    err: (text: string) => {
      said.err += said.err.length < MOST_SAID ? text : '';
      output.err(text);
    },
  };
  const given = { ...call, cwd, ...output, ...noted } satisfies CommandCall<unknown, readonly unknown[]>;
  const code = (await action(given)) ?? 0;
  // A command may say why it failed to a person only; a program waits for its one document.
  if (isForProgram && code !== 0 && said.out === '') process.stdout.write(inPlaceOfResult(code, said.err.trim()));
  if (Number.isInteger(code) && code >= 0 && code <= 255) return code;
  throw contributionError(contribution, `it returned ${JSON.stringify(code)}, expected an exit code or nothing`);
}

/** Characters of standard error, about, that a failure repeats in its document. */
const MOST_SAID = 4_000;

function inPlaceOfResult(code: number, problem: string): string {
  const definition = code === 2 ? CLI_ERRORS.FW_CLI_USAGE : CLI_ERRORS.FW_CLI_FAILED;
  return document(fwError(definition, { problem: problem || `it ended with exit code ${code}` }));
}

const document = (error: unknown) => `${JSON.stringify({ error: asJson(error) }, null, 2)}\n`;

/**
 * Prints why a command failed: a sentence to standard error, or with `--json` the object `{ error: { code, message } }` to standard output
 * in place of the result.
 */
function report(error: unknown, isForProgram: boolean): number {
  // Commander has printed its own message by now.
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  if (isForProgram) process.stdout.write(document(error));
  if (isUsage) return 2;
  if (isForProgram && isFwError(error)) return 1;
  process.stderr.write(`${explained(error)}\n`);
  return 1;
}

function asJson(error: unknown): { readonly code: string; readonly message: string } {
  if (isFwError(error)) return { code: error.code, message: error.message };
  const problem = messageOf(error);
  return asJson(
    fwError(error instanceof CommanderError ? CLI_ERRORS.FW_CLI_USAGE : CLI_ERRORS.FW_CLI_FAILED, { problem }),
  );
}

function explained(error: unknown): string {
  if (!isFwError(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = process.env['FW_DEBUG'] && error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : '';
  const more = error.guide === undefined ? undefined : guideCommand(error.guide);
  return `${error.code}: ${error.message}${more === undefined ? '' : `\nmore about it: ${more}`}${cause}`;
}
