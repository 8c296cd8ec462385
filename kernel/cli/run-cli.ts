import { Command, CommanderError } from 'commander';
import { isFwError } from '../errors/index.js';
import { addCommand } from './add.js';
import { buildCommand } from './build.js';
import { codegenCommand } from './codegen.js';
import { dbCommand } from './db.js';
import { generateCommand } from './generate.js';
import { migrateCommand } from './migrate.js';
import { newCommand } from './new.js';
import { llmsCommand } from './llms.js';
import { pluginCommand } from './plugin.js';
import { routesCommand } from './routes.js';
import { exitOnSignals } from './signals.js';
import { startCommand } from './start.js';
import { verifyCommand } from './verify.js';
import { frameworkVersion } from './version.js';

/** Adds one command to the program; each stands in a file of its name. Its action resolves to the exit code. */
export type CommandFactory = (finish: (exitCode: number) => void) => Command;

const COMMANDS: readonly CommandFactory[] = [
  newCommand,
  generateCommand,
  addCommand,
  startCommand,
  codegenCommand,
  routesCommand,
  llmsCommand,
  verifyCommand,
  pluginCommand,
  buildCommand,
  migrateCommand,
  dbCommand,
];

/**
 * Runs `fw` with arguments.
 * @returns the exit code: 0 done, 1 failed (the message is on standard error), 2 wrong usage
 */
export async function runCli(args: readonly string[]): Promise<number> {
  exitOnSignals();
  let exitCode = 0;
  const program = new Command('fw')
    .description('Run, build and inspect an fw application.')
    .version(frameworkVersion())
    .showHelpAfterError('(run fw --help for the commands)')
    .exitOverride();
  for (const make of COMMANDS) program.addCommand(make((code) => (exitCode = code)).exitOverride());
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(error);
  }
}

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
