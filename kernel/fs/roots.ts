import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';

/** A directory that paths are confined to. Made by {@link openRoots}. */
export interface Root {
  /** As it was declared, made absolute; for messages. */
  readonly declared: string;
  /** With every link resolved; paths are compared with this one. */
  readonly resolved: string;
  /** Whether the file system takes `README` and `readme` for the same name. */
  readonly foldsCase: boolean;
}

/**
 * Checks and resolves the directories that paths are to be confined to. Blank entries are ignored.
 *
 * @param declared - directories, absolute or relative to `cwd`
 * @throws FwError `FW_PATH_ROOTS` when there is none, or one is not an existing directory
 */
export async function openRoots(
  declared: readonly string[],
  cwd: string = process.cwd(),
): Promise<readonly [Root, ...Root[]]> {
  const [first, ...others] = declared.filter((each) => each.trim() !== '');
  if (first === undefined) throw fwError(FS_ERRORS.FW_PATH_ROOTS, { root: '', problem: 'no directory is named' });
  return Promise.all([openRoot(path.resolve(cwd, first)), ...others.map((each) => openRoot(path.resolve(cwd, each)))]);
}

/** Whether a path, absolute and normalised, is the root or below it. Compares whole names: `/root-evil` is not in `/root`. */
export function isInside(root: Pick<Root, 'foldsCase'>, directory: string, candidate: string): boolean {
  const [outer, inner] = root.foldsCase ? [folded(directory), folded(candidate)] : [directory, candidate];
  return inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
}

/** A name as a file system that folds case compares it. */
export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

async function openRoot(declared: string): Promise<Root> {
  const refuse = (problem: string, cause?: unknown): never => {
    throw fwError(FS_ERRORS.FW_PATH_ROOTS, { root: declared, problem }, { cause });
  };
  const resolved = await realpath(declared).catch((error: NodeJS.ErrnoException) =>
    refuse(error.code === 'ENOENT' ? 'it does not exist' : error.message, error),
  );
  if (!(await lstat(resolved)).isDirectory()) refuse('it is not a directory');
  return { declared, resolved, foldsCase: await foldsCase(resolved) };
}

// Asks the file system rather than guessing from the platform: macOS and Linux have volumes of both kinds.
async function foldsCase(directory: string): Promise<boolean> {
  const swapped = directory.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (swapped === directory) return process.platform === 'win32' || process.platform === 'darwin';
  const [one, other] = await Promise.all([stat(directory), stat(swapped).catch(() => undefined)]);
  return other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
