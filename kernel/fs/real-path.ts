import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { statsAt } from './read-file.js';

/** Where a path leads once every link is followed, or why that cannot be said. */
export type RealPath =
  | { readonly resolved: string; readonly exists: boolean }
  | { readonly dangling: string }
  | { readonly problem: string };

const PROBLEMS: Readonly<Record<string, string>> = {
  ELOOP: 'its links form a loop',
  ENOTDIR: 'a part of it is a file, not a directory',
  ENAMETOOLONG: 'it, or a name in it, is too long',
  EACCES: 'a directory on the way may not be read',
  EPERM: 'a directory on the way may not be read',
};

/**
 * Resolves a path that need not exist: the nearest existing ancestor is resolved and the rest appended (SPEC "Path confinement rules", rule
 * 4). A dangling link does not count as not existing: writing to it would create its target.
 *
 * @param absolute - normalised, so that the missing rest has no `..` in it
 */
export async function realPathOf(absolute: string): Promise<RealPath> {
  const missing: string[] = [];
  for (let existing = absolute; ; existing = path.dirname(existing)) {
    try {
      return { resolved: path.join(await realpath(existing), ...missing), exists: missing.length === 0 };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return { problem: PROBLEMS[code] ?? `the file system says ${code}` };
      if (await isLink(existing)) return { dangling: existing };
      missing.unshift(path.basename(existing));
    }
  }
}

/** The first link between a directory and a path below it, or undefined. A missing component ends the walk. */
export async function firstLink(directory: string, below: string): Promise<string | undefined> {
  let current = directory;
  // Counts names instead of using path.relative: on a file system that folds case the directory may be spelled differently.
  for (const name of namesOf(below).slice(namesOf(directory).length)) {
    current = path.join(current, name);
    if (await isLink(current)) return current;
  }
  return undefined;
}

function namesOf(absolute: string): readonly string[] {
  return absolute.split(path.sep).filter((name) => name !== '');
}

/** Whether a link stands at a path; on Windows junctions count as well. */
async function isLink(at: string): Promise<boolean> {
  return (await statsAt(at))?.isSymbolicLink() ?? false;
}
