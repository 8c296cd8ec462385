import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../values/index.js';

/** How texts of the framework write the command `fw`; {@link asCalledHere} puts in what calls it where the text is read. */
const FW_PLACEHOLDER = '{fw}';

/** How a project calls `fw`, and what generated documentation says. `--no` and `--` keep it from fetching a stranger's package. */
export const PROJECT_FW = 'npx --no -- fw';

// The start file of a bundle sets it, since nothing else in a bundle says how it was started.
const START_FILE = Symbol.for('fw.start-file');

/** What the start file of a bundle leaves for {@link howFwIsCalled}; it changes the working directory. */
interface StartOfBundle {
  readonly file: string;
  readonly folder: string;
}

/** What {@link howFwIsCalled} looks at. */
export interface Surroundings {
  /** Folder in which the command is to be typed. Default the working directory. */
  readonly folder?: string;
  /** Path of the script that this process runs. Default `process.argv[1]`. */
  readonly script?: string | undefined;
  /** Folders in which the shell looks for programs. Default `PATH`. */
  readonly searchPath?: string | undefined;
  /** The start file of a bundle, when this process runs one, and the folder in which that was typed. */
  readonly start?: StartOfBundle | undefined;
}

/**
 * The words with which `fw` is called from a folder: `node start.js` in a bundle, `npx --no -- fw` in a project that has it installed and in
 * the framework's own checkout, else the way in which this process was called itself: `fw`, or `node` with the path of a checkout.
 */
export function howFwIsCalled({
  folder = process.cwd(),
  script = process.argv[1],
  searchPath = process.env['PATH'],
  start = (globalThis as { [START_FILE]?: StartOfBundle })[START_FILE],
}: Surroundings = {}): string {
  if (start !== undefined) return `node ${fromFolder(start.folder, start.file)}`;
  if (isInstalledAt(folder) || script === undefined) return PROJECT_FW;
  const name = path.basename(script).replace(/\.(?:cmd|ps1)$/, '');
  if (name === 'fw.js') return `node ${fromFolder(folder, script)}`;
  const isOnPath = (searchPath ?? '').split(path.delimiter).includes(path.dirname(script));
  return name === 'fw' && isOnPath ? 'fw' : PROJECT_FW;
}

/** The command that shows a guide or a section of one; undefined in a bundle, which has no documentation. */
export function guideCommand(guide: string, surroundings: Surroundings = {}): string | undefined {
  const start = surroundings.start ?? (globalThis as { [START_FILE]?: StartOfBundle })[START_FILE];
  return start === undefined ? fwCommand(`docs ${guide}`, surroundings) : undefined;
}

/** A command of `fw` as it is called here: `fwCommand('migrate up')`. */
export const fwCommand = (words: string, surroundings?: Surroundings): string =>
  `${howFwIsCalled(surroundings)} ${words}`;

/** A text in which each `{fw}` is what calls `fw` here. */
export const asCalledHere = (text: string): string =>
  text.includes(FW_PLACEHOLDER) ? text.replaceAll(FW_PLACEHOLDER, howFwIsCalled()) : text;

/** A text in which each `{fw}` is what a project calls, for documentation. */
export const asProjectsCall = (text: string): string => text.replaceAll(FW_PLACEHOLDER, PROJECT_FW);

// A program is found in the nearest folder that has it, and that of a package itself, too.
function isInstalledAt(folder: string): boolean {
  const bin = path.join('node_modules', '.bin', process.platform === 'win32' ? 'fw.cmd' : 'fw');
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, bin)) || existsSync(path.join(at, OWN_SOURCE))) return true;
    if (path.dirname(at) === at) return false;
  }
}

const OWN_SOURCE = path.join('kernel', 'bin', 'fw.ts');

// Relative only below the folder: a path that climbs is harder to read than a whole one.
function fromFolder(folder: string, file: string): string {
  const isBelow = isInside(file, folder) && folder !== path.parse(folder).root;
  const shown = isBelow ? path.relative(folder, file) : file;
  return /\s/.test(shown) ? `"${shown}"` : shown;
}
