import type { Argument, Command, Option } from 'commander';
import type { BroughtCommand } from '../brought-commands.js';
import { programOf } from '../program.js';

/** Something that a word may be completed to. */
export interface Candidate {
  readonly word: string;
  /** What it is, in a few words; empty for values. */
  readonly about: string;
}

/**
 * What the last of some words may become: commands, options, and values that manifests list. Nothing where any value may stand, such
 * as the name of a file, which shells complete themselves.
 *
 * @param words - what stands behind `fw`, up to the cursor; the last one may be empty
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

/** Where the words before have led. */
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

// Commander knows the hidden ones as `_hidden` only, and leaves them out of what its help shows.
const childrenOf = (command: Command): readonly Command[] =>
  command.createHelp().visibleCommands(command) as readonly Command[];

const namesOf = (command: Command): readonly string[] => [command.name(), ...command.aliases()];

function optionsOf(command: Command): readonly Candidate[] {
  const shown = command.createHelp().visibleOptions(command);
  return shown.flatMap(({ long, description }) => (long ? [{ word: long, about: description }] : []));
}

const valuesOf = ({ argChoices = [] }: Argument | Option): readonly Candidate[] =>
  argChoices.map((word) => ({ word, about: '' }));
