import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ChangeSet } from '../../../kernel/fs/index.js';

/**
 * The files that a generator reads and writes. A generator neither changes directory nor prints, and its writes reach the disk together
 * when the caller commits.
 */
export interface GeneratorContext {
  /** The project folder, for messages. */
  readonly root: string;
  /** Whether the root is a folder on disk, with the packages of the project. */
  readonly isOnDisk: boolean;
  /** Text of a file as it will be; undefined when there is none. Paths are relative to the root, with `/`. */
  read(file: string): Promise<string | undefined>;
  write(file: string, text: string | Uint8Array): Promise<void>;
  /** Names of the files in a folder, sorted; empty when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Prints a message for the person or model who asked. */
  log(line: string): void;
}

/** A context whose writes wait in a change set. */
export function contextOver(changes: ChangeSet, log: (line: string) => void): GeneratorContext {
  return {
    root: changes.root,
    isOnDisk: true,
    read: (file) => changes.readText(file),
    write: (file, text) => changes.write(file, text),
    list: async (folder) => {
      const names = new Set(await filesOf(path.join(changes.root, folder)));
      for (const { path: changed, change } of changes.changes()) {
        if (path.posix.dirname(changed) !== folder) continue;
        if (change === 'deleted') names.delete(path.posix.basename(changed));
        else names.add(path.posix.basename(changed));
      }
      return [...names].sort();
    },
    log,
  };
}

/** A context that keeps everything in memory, for plans. */
export function contextInMemory(
  root: string,
  log: (line: string) => void,
): GeneratorContext & { readonly files: ReadonlyMap<string, Buffer> } {
  const files = new Map<string, Buffer>();
  return {
    root,
    isOnDisk: false,
    files,
    read: (file) => Promise.resolve(files.get(file)?.toString('utf8')),
    write: (file, text) => Promise.resolve(void files.set(file, Buffer.from(text as string))),
    list: (folder) =>
      Promise.resolve(
        [...files.keys()]
          .filter((file) => path.posix.dirname(file) === folder)
          .map((file) => path.posix.basename(file))
          .sort(),
      ),
    log,
  };
}

async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
