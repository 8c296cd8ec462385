import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** A program that was found. */
export interface FoundCommand {
  /** The name that was asked for. */
  readonly name: string;
  /** Where it stands; absolute. */
  readonly path: string;
}

/** Where to look. */
export interface FindOptions {
  /** Environment whose PATH is searched, default this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder for names with a slash in them, default the current one. */
  readonly cwd?: string;
}

/**
 * Finds the first of some programs without running anything. Empty and relative entries of PATH are skipped: with them the current folder
 * could replace a program. A name with a slash is a path, not searched for.
 *
 * @param names - one name, or several in order of preference: `['docker', 'podman']`
 * @returns the first that exists and may be executed, or undefined
 */
export async function findCommand(
  names: string | readonly string[],
  options: FindOptions = {},
): Promise<FoundCommand | undefined> {
  for (const name of typeof names === 'string' ? [names] : names) {
    for (const path of candidates(name, options)) {
      if (await isExecutable(path)) return { name, path };
    }
  }
  return undefined;
}

/** Absolute folders of a PATH, in order. */
export function searchedFolders(env: FindOptions['env'] = process.env): readonly string[] {
  return (variable(env, 'PATH') ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

function candidates(name: string, { env = process.env, cwd = process.cwd() }: FindOptions): readonly string[] {
  if (name === '' || name.includes('\0')) return [];
  const bases = isPath(name) ? [resolve(cwd, name)] : searchedFolders(env).map((each) => join(each, name));
  return bases.flatMap((base) => endings(env, name).map((ending) => base + ending));
}

/** Whether a command is named by a path. A backslash is an ordinary character of a name everywhere but on Windows. */
export function isPath(command: string): boolean {
  return process.platform === 'win32' ? /[/\\]/.test(command) : command.includes('/');
}

// Only .exe and .com start without a shell; .cmd and .bat would need one (CVE-2024-27980), so they are not looked for.
function endings(env: FindOptions['env'], name: string): readonly string[] {
  if (process.platform !== 'win32' || /\.(exe|com)$/i.test(name)) return [''];
  const allowed = (variable(env, 'PATHEXT') ?? '.EXE;.COM').split(';');
  return allowed.filter((ending) => /^\.(exe|com)$/i.test(ending));
}

function variable(env: FindOptions['env'] = {}, name: string): string | undefined {
  if (process.platform !== 'win32') return env[name];
  const key = Object.keys(env).find((each) => each.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Missing or not executable: the search goes on.
    return false;
  }
}
