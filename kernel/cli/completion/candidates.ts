import type { Argument, Command, Option } from 'commander';
import type { Candidate } from '../../contracts/index.js';
import type { CommandManifest } from '../../manifests/index.js';
import type { BroughtCommand } from '../brought-commands.js';
import { programOf } from '../program.js';

/** What is to be completed, with the value of an option as a word of its own. */
export interface Asked {
  readonly words: readonly string[];
  /** What stands before the last word without a space: `--driver=`, or nothing. */
  readonly prefix: string;
}

/** Takes `--option=value` apart. Bash has done so already, and gives `=` as a word between them. */
export function askedFor(typed: readonly string[]): Asked {
  const isSign = (word: string, at: number) => word === '=' && typed[at - 1]?.startsWith('--') === true;
  const endsWithSign = typed.length > 1 && isSign(typed.at(-1) ?? '', typed.length - 1);
  const words = [...typed.filter((word, at) => !isSign(word, at)), ...(endsWithSign ? [''] : [])];
  const [, option, value] = /^(--[^=]+)=(.*)$/s.exec(words.at(-1) ?? '') ?? [];
  if (option === undefined || value === undefined) return { words, prefix: '' };
  return { words: [...words.slice(0, -1), option, value], prefix: `${option}=` };
}

/**
 * Candidates for the last word: commands, options, and values that manifests list. None where any value may stand, such as the name of a
 * file: shells complete those themselves.
 *
 * @param words - the words after `fw`, up to the cursor; the last one may be empty
 */
export function candidatesFor(commands: readonly BroughtCommand[], words: readonly string[]): readonly Candidate[] {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const at = walk(
    programOf(commands, () => Promise.resolve()),
    before,
  );
  return all(at, last).filter(({ word }) => word.startsWith(last));
}

/** A command on the typed line that completes its arguments with a module of its own. */
export interface Completing {
  readonly brought: BroughtCommand;
  readonly module: string;
  /** The words after its name. */
  readonly words: readonly string[];
}

/** The command that the words name, if its manifest has a module for completion. */
export function completing(commands: readonly BroughtCommand[], words: readonly string[]): Completing | undefined {
  const before = words.slice(0, -1);
  const [brought] = commands
    .filter(({ command }) => isNamedBy(command, before))
    .sort((one, other) => depthOf(other.command) - depthOf(one.command));
  const module = brought?.command.completes;
  return brought && module ? { brought, module, words: words.slice(depthOf(brought.command)) } : undefined;
}

const depthOf = ({ name }: CommandManifest): number => name.split(' ').length;

function isNamedBy({ name, alias }: CommandManifest, words: readonly string[]): boolean {
  return name.split(' ').every((word, at) => words[at] === word) || (alias !== undefined && words[0] === alias);
}

/** The command that the words before the last one lead to, and what may follow. */
interface Place {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly open: Option | undefined;
  /** How many arguments there are already. */
  readonly arguments: number;
}

function walk(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, open: undefined, arguments: 0 };
  for (const word of words) place = step(place, word);
  return place;
}

function step({ command, open, arguments: count }: Place, word: string): Place {
  if (open !== undefined) return { command, open: open.variadic ? open : undefined, arguments: count };
  if (word.startsWith('-')) {
    const option = command.options.find(({ short, long }) => short === word || long === word);
    const takesMore = option !== undefined && (option.required || option.optional);
    return { command, open: takesMore ? option : undefined, arguments: count };
  }
  const below = count === 0 ? childrenOf(command).find((each) => namesOf(each).includes(word)) : undefined;
  return below === undefined
    ? { command, open: undefined, arguments: count + 1 }
    : { command: below, open: undefined, arguments: 0 };
}

function all({ command, open, arguments: count }: Place, last: string): readonly Candidate[] {
  if (last.startsWith('-')) return optionsOf(command);
  if (open !== undefined) return valuesOf(open);
  const below = count === 0 ? childrenOf(command) : [];
  const argument =
    command.registeredArguments[count] ?? command.registeredArguments.findLast(({ variadic }) => variadic);
  const values = argument === undefined ? [] : valuesOf(argument);
  return [
    ...below.map((each) => ({ word: each.name(), about: each.description() })),
    ...values.filter(({ word }) => !below.some((each) => each.name() === word)),
  ];
}

// Commander marks hidden commands by its private field `_hidden`.
const childrenOf = (command: Command): readonly Command[] =>
  command.createHelp().visibleCommands(command) as readonly Command[];

const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()];

function optionsOf(command: Command): readonly Candidate[] {
  const shown = command.createHelp().visibleOptions(command);
  return shown.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []));
}

const valuesOf = ({ argChoices = [] }: Argument | Option): readonly Candidate[] =>
  argChoices.map((word) => ({ word, about: '' }));
