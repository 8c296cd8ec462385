import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { fwError, isFwError } from '../errors/index.js';
import { digestOf } from './digest.js';
import { FS_ERRORS } from './errors.js';
import { readBoundedFile } from './read-file.js';
import { type FileChange, type FileConflict, modeOf, type StagedFile } from './staged-file.js';
import { besideOf, type FileAttributes, writeBeside } from './write-file-atomically.js';

/** One file to write or delete. */
export interface PlannedChange {
  readonly file: StagedFile;
  readonly change: FileChange;
}

interface Step {
  readonly file: StagedFile;
  /** New content, written and flushed; undefined for a deletion. */
  readonly fresh: string | undefined;
}

/** A file is not what it was; the commit stops and everything is put back. */
class Conflict {
  constructor(readonly conflict: FileConflict) {}
}

/**
 * Does all changes or none. First all new content is written beside its targets, which is where a full disk shows; then
 * every file is looked at once more; then names are switched, one rename per file, each with the old content kept aside.
 *
 * @param conflictOf - looks at a file once more
 * @returns the conflict that was found on the way; nothing is changed then
 * @throws FwError `FW_CHANGESET_COMMIT`, `FW_CHANGESET_ROLLBACK`
 */
export async function applyChanges(
  plan: readonly PlannedChange[],
  conflictOf: (file: StagedFile) => Promise<FileConflict | undefined>,
): Promise<FileConflict | undefined> {
  const commit = new Commit(conflictOf);
  try {
    await commit.run(plan);
  } catch (error) {
    await commit.putBack(error);
    if (error instanceof Conflict) return error.conflict;
    throw fwError(FS_ERRORS.FW_CHANGESET_COMMIT, { path: commit.at, reason: messageOf(error) }, { cause: error });
  }
  return undefined;
}

class Commit {
  /** Path that is being worked on, for messages. */
  at = '';
  readonly #undo: { readonly path: string; readonly action: () => Promise<unknown> }[] = [];
  readonly #kept: string[] = [];

  constructor(private readonly conflictOf: (file: StagedFile) => Promise<FileConflict | undefined>) {}

  async run(plan: readonly PlannedChange[]): Promise<void> {
    const steps: Step[] = [];
    for (const { file } of plan) steps.push(await this.#prepare(file));
    for (const { file } of plan) await this.#check(file);
    for (const step of steps) await this.#switch(step);
    // The changes stand; a copy that cannot be removed is litter, not a failure.
    for (const kept of this.#kept) await rm(kept, { force: true }).catch(() => undefined);
  }

  /** Undoes what was done, last first. @throws FwError `FW_CHANGESET_ROLLBACK` when something cannot be undone */
  async putBack(reason: unknown): Promise<void> {
    const broken = new Map<string, unknown>();
    for (const { path, action } of this.#undo.reverse()) {
      await action().catch((error: unknown) => broken.set(path, error));
    }
    if (broken.size === 0) return;
    const cause = new AggregateError([reason, ...broken.values()]);
    const details = { path: this.at, reason: messageOf(reason), broken: [...broken.keys()] };
    throw fwError(FS_ERRORS.FW_CHANGESET_ROLLBACK, details, { cause });
  }

  async #prepare(file: StagedFile): Promise<Step> {
    this.at = file.path;
    if (file.staged === undefined || file.staged === 'deleted') return { file, fresh: undefined };
    await this.#makeDirectory(path.dirname(file.target));
    const fresh = await writeBeside(file.target, file.staged.bytes, attributesOf(file, file.staged.mode));
    this.#later(fresh, () => rm(fresh, { force: true }));
    return { file, fresh };
  }

  async #check(file: StagedFile): Promise<void> {
    this.at = file.path;
    const conflict = await this.conflictOf(file);
    if (conflict) throw new Conflict(conflict);
  }

  async #switch({ file, fresh }: Step): Promise<void> {
    this.at = file.path;
    if (file.base === undefined) return this.#create(file, fresh as string);
    const kept = await this.#keep(file, fresh === undefined);
    await this.#compareKept(file, kept);
    if (fresh !== undefined) await rename(fresh, file.target);
  }

  // A hard link fails when something is there by now, which a rename would silently replace.
  async #create({ target, path: name }: StagedFile, fresh: string): Promise<void> {
    try {
      await link(fresh, target);
    } catch (error) {
      if (isCode(error, 'EEXIST')) throw new Conflict({ path: name, reason: 'appeared' });
      if (!lacksLinks(error)) throw error;
      if (await exists(target)) throw new Conflict({ path: name, reason: 'appeared' });
      await rename(fresh, target);
    }
    this.#later(target, () => rm(target, { force: true }));
    await rm(fresh, { force: true });
  }

  // The old file itself is kept aside, so that putting it back restores it with all its attributes.
  async #keep({ target, path: name }: StagedFile, deleting: boolean): Promise<string> {
    const kept = besideOf(target, 'kept');
    try {
      if (deleting) await rename(target, kept);
      else await link(target, kept);
    } catch (error) {
      if (isCode(error, 'ENOENT')) throw new Conflict({ path: name, reason: 'disappeared' });
      if (deleting || !lacksLinks(error)) throw error;
      await copyAside(target, kept);
    }
    this.#kept.push(kept);
    this.#later(target, async () => {
      await rename(kept, target);
      // POSIX rename() of two names of one file does nothing, and leaves both.
      await rm(kept, { force: true });
    });
    return kept;
  }

  // The last look, at the very file that is kept: whatever somebody wrote until now is in it.
  async #compareKept({ base, path: name }: StagedFile, kept: string): Promise<void> {
    const { bytes } = await readBoundedFile(kept, { maxBytes: Number.MAX_SAFE_INTEGER }).catch((error: unknown) => {
      if (isFwError(error) && error.code === 'FW_FILE_KIND') throw new Conflict({ path: name, reason: 'replaced' });
      throw error;
    });
    if (digestOf(bytes) !== base?.digest) throw new Conflict({ path: name, reason: 'changed' });
  }

  async #makeDirectory(directory: string): Promise<void> {
    const missing: string[] = [];
    for (let each = directory; !(await exists(each)); each = path.dirname(each)) missing.unshift(each);
    for (const each of missing) {
      await mkdir(each);
      // Not empty: somebody else has put something there, which is not ours to remove.
      this.#later(each, () =>
        rmdir(each).catch((error) => (isCode(error, 'ENOTEMPTY') ? undefined : Promise.reject(error))),
      );
    }
  }

  #later(path: string, action: () => Promise<unknown>): void {
    this.#undo.push({ path, action });
  }
}

function attributesOf({ base }: StagedFile, mode: number | undefined): FileAttributes {
  return base ? { mode: mode ?? modeOf(base.stats), uid: base.stats.uid, gid: base.stats.gid } : { mode };
}

async function copyAside(target: string, kept: string): Promise<void> {
  await copyFile(target, kept, constants.COPYFILE_EXCL).catch(async (error: unknown) => {
    await rm(kept, { force: true });
    throw error;
  });
}

async function exists(at: string): Promise<boolean> {
  return lstat(at).then(
    () => true,
    () => false,
  );
}

// What file systems without hard links (FAT, some network shares) say.
function lacksLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].some((code) => isCode(error, code));
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function messageOf(error: unknown): string {
  if (error instanceof Conflict) return `${error.conflict.path} ${error.conflict.reason}`;
  return (error as Error).message;
}
