import { CommanderError } from 'commander';
import type { CommandAction, CommandCall } from '../contracts/command.js';
import { isFwError } from '../errors/index.js';
import { contributionError, loadFunction } from '../manifests/index.js';
import { exitWhenAskedToStop } from '../process/stop-request.js';
import { allCommands, type BroughtCommand, type Commands, isOwnCommand, ownCommands } from './brought-commands.js';
import { type ParsedCall, programOf } from './program.js';

/**
 * Runs `fw` with arguments. What there is to run is read from manifests; the code of a command is loaded when it runs.
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
    return report(error);
  }
}

// What fw itself brings runs whatever is wrong with a package, and does not wait for package.json to be read.
async function commandsFor(args: readonly string[]): Promise<Commands> {
  const own = await ownCommands();
  const [word = ''] = args;
  if (isOwnCommand(own, word) || isVersion(word)) return { commands: own, problems: [], missing: [] };
  const all = await allCommands(process.cwd());
  const isThere = all.commands.some(({ command }) => [command.name.split(' ')[0], command.alias].includes(word));
  const [problem] = all.problems;
  // Whatever is wrong may be why nobody has such a command.
  if (isForAll(word) || isThere || problem === undefined) return all;
  for (const each of all.problems.slice(1)) process.stderr.write(`${explained(each)}\n`);
  throw problem;
}

const isVersion = (word: string) => word === '--version' || word === '-V';

/** Whether it is about all commands, and not one of them. */
const isForAll = (word: string) => word === '' || word === 'help' || word.startsWith('-');

/** Says behind a list of commands what is missing from it, and behind an unknown command where it may be. */
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
  const code = (await action({ ...call, cwd, ...STANDARD } satisfies CommandCall<unknown, readonly unknown[]>)) ?? 0;
  if (Number.isInteger(code) && code >= 0 && code <= 255) return code;
  throw contributionError(contribution, `it returned ${JSON.stringify(code)}, expected an exit code or nothing`);
}

const STANDARD = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

function report(error: unknown): number {
  // Commander has printed its own message by now.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`${explained(error)}\n`);
  return 1;
}

function explained(error: unknown): string {
  if (!isFwError(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = process.env['FW_DEBUG'] && error.cause instanceof Error ? `\n${error.cause.stack ?? ''}` : '';
  return `${error.code}: ${error.message}${cause}`;
}
