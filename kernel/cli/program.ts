import { Argument, Command, Option } from 'commander';
import { fwCommand } from '../invocation/index.js';
import type { CommandManifest } from '../manifests/index.js';
import { frameworkVersion } from '../plugin/framework-version.js';
import type { BroughtCommand } from './brought-commands.js';

/** Runs a command, with what was typed behind it. */
export type Run = (command: BroughtCommand, call: ParsedCall) => Promise<void>;

/** What was typed. */
export interface ParsedCall {
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Builds the parser of the command line from manifests. It parses arguments and prints help; `run` does the work. */
export function programOf(commands: readonly BroughtCommand[], run: Run): Command {
  const program = new Command('fw')
    .description('Run, build and inspect an fw application.')
    .version(frameworkVersion())
    .showHelpAfterError(`(run ${fwCommand('--help')} for the commands)`)
    .addHelpText('after', '\nWhat takes longer than a second says what it does, unless it is told --quiet or --json.')
    .exitOverride();
  const made = new Map<string, Command>();
  // Parent commands first, whoever adds their subcommands.
  for (const each of [...commands].sort((a, b) => wordsOf(a.command).length - wordsOf(b.command).length)) {
    const command = commandOf(each, run);
    const above = made.get(wordsOf(each.command).slice(0, -1).join(' '));
    // Options after the name of a subcommand belong to the subcommand.
    above?.enablePositionalOptions();
    (above ?? program).addCommand(command, { hidden: each.command.hidden === true });
    made.set(each.command.name, command);
  }
  return program;
}

/** Flag that switches progress messages off. */
export const QUIET = '--quiet';

const wordsOf = ({ name }: CommandManifest): readonly string[] => name.split(' ');

function commandOf(brought: BroughtCommand, run: Run): Command {
  const { command: manifest, by, isForeign } = brought;
  const command = new Command(wordsOf(manifest).at(-1)).description(manifest.summary).exitOverride();
  if (isForeign) command.helpGroup(`Commands of ${by.owner}:`);
  if (manifest.alias !== undefined) command.alias(manifest.alias);
  for (const { name, description, default: standard, choices } of manifest.arguments ?? []) {
    const argument = new Argument(name, description);
    // A command with `ownFlags` reports wrong arguments itself.
    if (choices !== undefined && manifest.ownFlags) argument.argChoices = [...choices];
    else if (choices !== undefined) argument.choices(choices);
    command.addArgument(standard === undefined ? argument : argument.default(standard));
  }
  for (const { flags, description, default: standard, choices } of manifest.options ?? []) {
    const option = new Option(flags, description);
    if (choices !== undefined) option.choices(choices);
    command.addOption(standard === undefined ? option : option.default(standard));
  }
  // Every command has the flag, except those that read their flags themselves or have one of the same name.
  if (!manifest.ownFlags && !command.options.some(({ long }) => long === QUIET))
    command.addOption(new Option(QUIET).hideHelp());
  if (manifest.help !== undefined) command.addHelpText('after', `\n${manifest.help.join('\n')}`);
  if (manifest.ownFlags) command.helpOption(false).allowUnknownOption();
  if (manifest.module === undefined) return command;
  return command.action(() =>
    run(brought, { args: manifest.ownFlags ? command.args : command.processedArgs, options: command.opts() }),
  );
}
