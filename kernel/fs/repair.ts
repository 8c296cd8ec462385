import type { Stats } from 'node:fs';
import { link, lstat, rename, rm, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { isFwError } from '../errors/index.js';
import { forEachAtOnce } from './at-once.js';
import { confinePath } from './confine-path.js';
import { digestOf } from './digest.js';
import { hasCode, lacksLinks } from './errno.js';
import { flushFolders, isFolder } from './folders.js';
import type { JournalFile, JournalRecord } from './journal.js';
import { readBoundedFile } from './read-file.js';
import type { Root } from './roots.js';
import { removeFile } from './write-file-atomically.js';

/** A file that a repair left alone, or could not change. */
export interface LeftFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly reason: string;
  /** True if the system refused the change, so that a retry may succeed; false for a file that has changed since. */
  readonly retry: boolean;
}

/**
 * Undoes the changes of a journal. A file is touched only when its content is what the write found or what it wrote. Repeating the undo is
 * harmless.
 */
export async function undo(root: Root, { files, folders, newFolder }: JournalRecord): Promise<readonly LeftFile[]> {
  const left = new LeftFiles();
  const confined = new ConfinedFolders(root);
  await forEachAtOnce(files, (file) => left.trying(file.path, () => undoFile(confined, file, left)));
  await left.trying('.', () => flushFolders(foldersOf(root, files)));
  for (const folder of [...folders].reverse()) await left.trying(folder, () => removeEmpty(confined, folder));
  if (newFolder) await left.trying(newFolder.fresh, () => removeFresh(confined, newFolder.fresh));
  return left.files;
}

/** Removes the temporary files of a finished write. */
export async function finish(root: Root, { files, newFolder }: JournalRecord): Promise<readonly LeftFile[]> {
  const left = new LeftFiles();
  const confined = new ConfinedFolders(root);
  await forEachAtOnce(files, (file) =>
    left.trying(file.path, async () => {
      const { kept, fresh } = await placesOf(confined, file);
      for (const each of [kept, fresh]) if (each) await removeFile(each);
    }),
  );
  if (newFolder) await left.trying(newFolder.fresh, () => removeFresh(confined, newFolder.fresh));
  return left.files;
}

class LeftFiles {
  readonly files: LeftFile[] = [];

  changed(path: string, reason: string): void {
    this.files.push({ path, reason, retry: false });
  }

  async trying(path: string, action: () => Promise<unknown>): Promise<void> {
    await action().catch((error: unknown) => {
      // The path now leads outside: it is not the one that was confined when the journal was written.
      const isMoved = isFwError(error) && error.code.startsWith('FW_PATH_');
      this.files.push({ path, reason: (error as Error).message, retry: !isMoved });
    });
  }
}

interface Places {
  readonly target: string;
  readonly fresh: string | undefined;
  readonly kept: string | undefined;
}

// The folder is confined, and names in it are not followed: rename, link and remove act on the names themselves.
async function placesOf(confined: ConfinedFolders, { path: file, fresh, kept }: JournalFile): Promise<Places> {
  const target = await confined.inside(file);
  const beside = (name: string | null) => (name === null ? undefined : path.join(path.dirname(target), name));
  return { target, fresh: beside(fresh), kept: beside(kept) };
}

/** Folders of a root, each confined once per repair. */
class ConfinedFolders {
  readonly #folders = new Map<string, Promise<string>>();

  constructor(private readonly root: Root) {}

  /** Absolute path of a name in a folder that is where it was. @throws FwError `FW_PATH_*` */
  async inside(relative: string): Promise<string> {
    const name = path.dirname(relative);
    const folder = this.#folders.get(name) ?? this.#confined(name);
    this.#folders.set(name, folder);
    return path.join(await folder, path.basename(relative));
  }

  async #confined(name: string): Promise<string> {
    return (await confinePath(name, [this.root], { base: this.root.resolved, links: 'none' })).resolved;
  }
}

async function undoFile(confined: ConfinedFolders, file: JournalFile, left: LeftFiles): Promise<void> {
  const places = await placesOf(confined, file);
  if (file.before === null) await undoCreation(file, places, left);
  else await restore(file, places, left);
  if (places.fresh) await removeFile(places.fresh);
}

async function undoCreation(file: JournalFile, { target, fresh }: Places, left: LeftFiles): Promise<void> {
  const now = await look(target);
  const waiting = fresh === undefined ? undefined : await look(fresh);
  // While the new content still has its temporary name, the target is ours only if it is a hard link to the same file.
  if (!now || (waiting && !isSame(now, waiting))) return;
  if (now.digest === file.after) await unlink(target);
  else if (waiting) left.changed(file.path, 'it is new, and was changed since');
  else left.changed(file.path, 'it was not there before, and is not what was written');
}

async function restore(file: JournalFile, { target, kept }: Places, left: LeftFiles): Promise<void> {
  const [now, old] = [await look(target), kept === undefined ? undefined : await look(kept)];
  if (!old || kept === undefined) {
    // The old content was not kept yet, or is back already.
    if (now?.digest === file.after && file.after !== file.before)
      left.changed(file.path, 'what stood there before is gone');
    return;
  }
  if (now && isSame(now, old)) return unlink(kept);
  if (!now && file.after === null) return putBack(kept, target);
  const isOurs = now !== undefined && (now.digest === file.before || now.digest === file.after);
  if (isOurs && old.digest === file.before) return rename(kept, target);
  if (now && now.digest !== undefined && now.digest === old.digest) return unlink(kept);
  const what = now ? 'it was changed since' : 'it was removed since';
  left.changed(file.path, `${what}; what stood there before is in ${path.basename(kept)}`);
}

// Does not overwrite a file that appears at this moment, where the file system supports hard links.
async function putBack(kept: string, target: string): Promise<void> {
  try {
    await link(kept, target);
    await unlink(kept);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    await rename(kept, target);
  }
}

interface Seen {
  readonly stats: Stats;
  /** Undefined when it is no regular file. */
  readonly digest: string | undefined;
}

async function look(at: string): Promise<Seen | undefined> {
  const stats = await lstat(at).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
  if (!stats?.isFile()) return stats && { stats, digest: undefined };
  const { bytes } = await readBoundedFile(at, { maxBytes: Number.MAX_SAFE_INTEGER });
  return { stats, digest: digestOf(bytes) };
}

function isSame(one: Seen, other: Seen): boolean {
  return one.stats.ino === other.stats.ino && one.stats.dev === other.stats.dev;
}

// Not empty: another process has put something there, so the folder stays.
async function removeEmpty(confined: ConfinedFolders, folder: string): Promise<void> {
  await rmdir(await confined.inside(folder)).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) throw error;
  });
}

async function removeFresh(confined: ConfinedFolders, fresh: string): Promise<void> {
  const folder = await confined.inside(fresh);
  if (await isFolder(folder)) await rm(folder, { recursive: true });
}

function foldersOf(root: Root, files: readonly JournalFile[]): readonly string[] {
  return files.map(({ path: file }) => path.join(root.resolved, path.dirname(file)));
}
