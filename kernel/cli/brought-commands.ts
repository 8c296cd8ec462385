import { type FwError, fwError } from '../errors/index.js';
import {
  type CommandManifest,
  type Contributor,
  MANIFEST_ERRORS,
  packageManifests,
  type ProjectPackages,
  roomManifests,
} from '../manifests/index.js';

/** A command, with the package or room whose manifest lists it. */
export interface BroughtCommand {
  readonly command: CommandManifest;
  readonly by: Contributor;
  /** Where it stands in the manifest: `commands[2]`. */
  readonly field: string;
  /** Whether a package of the project brings it, and not fw itself. */
  readonly isForeign: boolean;
}

/** The commands that can be run somewhere. */
export interface Commands {
  readonly commands: readonly BroughtCommand[];
  /** Why commands of some packages are missing. */
  readonly problems: readonly FwError[];
  /** Packages that the project names and that are not installed. */
  readonly missing: readonly string[];
}

// A command that Commander adds everywhere.
const RESERVED = ['help'];

/** The commands that fw itself brings. */
export async function ownCommands(): Promise<readonly BroughtCommand[]> {
  const rooms = await roomManifests();
  const brought = rooms.flatMap((room) => commandsOf(room, false));
  return brought.sort((a, b) => (a.command.name < b.command.name ? -1 : 1));
}

/** The commands of fw and of the packages of the project that a folder belongs to. Manifests are read, and no code is run. */
export async function allCommands(folder: string): Promise<Commands> {
  const [own, packages] = await Promise.all([ownCommands(), packageManifests(folder)]);
  return withPackages(own, packages);
}

/** Whether fw itself has a command of that name. */
export function isOwnCommand(own: readonly BroughtCommand[], word: string): boolean {
  return own.some((each) => firstWords(each).includes(word));
}

/**
 * Adds commands of packages. A package cannot use the first word of a command of fw, and of packages that use the same first word none gets
 * it.
 */
export function withPackages(own: readonly BroughtCommand[], { found, problems, missing }: ProjectPackages): Commands {
  const foreign = found.flatMap((each) => commandsOf(each, true));
  const reserved = new Map(RESERVED.map((word) => [word, 'fw']));
  const owners = new Map([...own.flatMap(firstWords).map((word) => [word, 'fw'] as const), ...reserved]);
  const clashes = new Map<string, FwError>();
  for (const each of foreign) {
    for (const word of firstWords(each)) {
      const first = owners.get(word);
      if (first === undefined) owners.set(word, each.by.owner);
      else if (first !== each.by.owner) clashes.set(word, clash(word, first, each));
    }
  }
  // Neither of two packages wins: otherwise the order of package.json would decide.
  const usable = foreign.filter((each) => !firstWords(each).some((word) => clashes.has(word)));
  return { commands: [...own, ...usable], problems: [...problems, ...clashes.values()], missing };
}

function commandsOf(by: Contributor, isForeign: boolean): BroughtCommand[] {
  const commands = by.manifest.commands ?? [];
  return commands.map((command, at) => ({ command, by, field: `commands[${at}]`, isForeign }));
}

/** The words that may follow `fw` to call the command: the first word of its name, and its alias. */
function firstWords({ command: { name, alias } }: BroughtCommand): readonly string[] {
  const [word = '', ...below] = name.split(' ');
  return below.length === 0 && alias !== undefined ? [word, alias] : [word];
}

function clash(command: string, first: string, { by, field }: BroughtCommand): FwError {
  const details = { command, first, second: by.owner, field: `${by.prefix}${field}.name`, file: by.file };
  return fwError(MANIFEST_ERRORS.FW_MANIFEST_CLASH, details);
}
