import { constants } from 'node:fs';
import { copyFile, link, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { fwError, isFwError } from '../errors/index.js';
import { forEachAtOnce } from './at-once.js';
import { hasCode, lacksLinks } from './errno.js';
import { FS_ERRORS } from './errors.js';
import { flushFolders } from './folders.js';
import { Journal, type JournalFile, type JournalRecord } from './journal.js';
import { ownIdentity } from './process-identity.js';
import { finish, undo } from './repair.js';
import type { Root } from './roots.js';
import { type FileChange, type FileConflict, modeOf, readState, type StagedFile } from './staged-file.js';
import { besideOf, type FileAttributes, removeFile, writeTo } from './write-file-atomically.js';
import { statsAt } from './read-file.js';

/** One file to write or delete. */
export interface PlannedChange {
  readonly file: StagedFile;
  readonly change: FileChange;
}

/** The result: either the changes were made, or a file had changed meanwhile and nothing was written. */
export interface AppliedChanges {
  readonly conflict?: FileConflict;
  /** The journal that stays until the follow-up work is done; the caller then removes it. */
  readonly due?: Journal | undefined;
}

/** How to apply changes. */
export interface ApplyOptions {
  /** Compares a file with its expected state. */
  readonly conflictOf: (file: StagedFile) => Promise<FileConflict | undefined>;
  /** Kind of the follow-up work. */
  readonly followUp?: string | undefined;
}

/** A file changed during the commit; the commit stops and is rolled back. */
class Conflict {
  constructor(readonly conflict: FileConflict) {}
}

/**
 * Does all changes or none, also when the process is killed or the power fails half way. The order is:
 *
 * 1. a journal of all planned changes is written and flushed before anything else is touched;
 * 2. new folders are made, and all new content is written beside its targets and flushed: a full disk shows here;
 * 3. every file is compared once more, and gets a second name that keeps its old content; folders are flushed;
 * 4. new content is renamed to its targets, one rename per file; folders are flushed;
 * 5. the journal is marked done: from this moment on the changes are final;
 * 6. the old content and the journal are removed; if follow-up work remains, the journal stays, marked due.
 *
 * A process that finds an unmarked journal undoes steps 2 to 4; for a marked one it does step 6. The caller holds the root's lock.
 *
 * @throws FwError `FW_CHANGESET_COMMIT`, `FW_CHANGESET_ROLLBACK`
 */
export async function applyChanges(
  root: Root,
  plan: readonly PlannedChange[],
  options: ApplyOptions,
): Promise<AppliedChanges> {
  const commit = new Commit(root, options);
  try {
    return { due: await commit.run(plan) };
  } catch (error) {
    await commit.putBack(error);
    if (error instanceof Conflict) return { conflict: error.conflict };
    throw fwError(FS_ERRORS.FW_CHANGESET_COMMIT, { path: commit.at, reason: messageOf(error) }, { cause: error });
  }
}

interface Step {
  readonly file: StagedFile;
  /** Where the new content waits; undefined for a deletion. */
  readonly fresh: string | undefined;
  /** Where the old content is kept; undefined for a new file. */
  readonly kept: string | undefined;
}

class Commit {
  /** Path that is being worked on, for error messages. */
  at = '.fw/journal';
  #journal: Journal | undefined;
  #record: JournalRecord | undefined;

  constructor(
    private readonly root: Root,
    private readonly options: ApplyOptions,
  ) {}

  /** @returns the journal, when follow-up work remains */
  async run(plan: readonly PlannedChange[]): Promise<Journal | undefined> {
    const steps = plan.map(({ file }) => stepOf(file));
    const folders = await this.#missingFolders(steps);
    const { followUp: kind } = this.options;
    const followUp = kind === undefined ? {} : { followUp: { kind, owner: ownIdentity() } };
    const record = { at: new Date().toISOString(), files: steps.map(journalled), folders, ...followUp };
    this.#journal = await Journal.begin(this.root, record);
    this.#record = record;
    for (const folder of folders) await mkdir(path.join(this.root.resolved, folder));
    await this.#each(steps, writeFresh);
    await this.#each(steps, ({ file }) => this.#check(file));
    await this.#each(steps, keep);
    await this.#flush(steps, folders);
    await this.#each(steps, switchNames);
    await this.#flush(steps, []);
    // From here on the changes are final. The next command that writes tidies up what could not be removed now.
    if (!(await this.#journal.done())) return undefined;
    const left = await finish(this.root, record);
    if (left.length > 0) return undefined;
    if (kind === undefined) await this.#journal.remove().catch(() => undefined);
    else await this.#journal.due().catch(() => undefined);
    return kind === undefined ? undefined : this.#journal;
  }

  /** Undoes what was done. @throws FwError `FW_CHANGESET_ROLLBACK` when something cannot be undone */
  async putBack(reason: unknown): Promise<void> {
    if (!this.#record) return;
    const broken = (await undo(this.root, this.#record)).filter(({ retry }) => retry);
    if (broken.length === 0) return this.#journal?.remove();
    const names = broken.map((each) => each.path);
    const details = { path: this.at, reason: messageOf(reason), broken: names, problems: broken };
    throw fwError(FS_ERRORS.FW_CHANGESET_ROLLBACK, details, { cause: reason });
  }

  async #each(steps: readonly Step[], work: (step: Step) => Promise<void>): Promise<void> {
    await forEachAtOnce(steps, async (step) => {
      try {
        await work(step);
      } catch (error) {
        this.at = step.file.path;
        throw error;
      }
    });
  }

  async #check(file: StagedFile): Promise<void> {
    const conflict = await this.options.conflictOf(file);
    if (conflict) throw new Conflict(conflict);
  }

  #flush(steps: readonly Step[], made: readonly string[]): Promise<void> {
    const parents = made.map((folder) => path.dirname(path.join(this.root.resolved, folder)));
    return flushFolders([...steps.map(({ file }) => path.dirname(file.target)), ...parents]);
  }

  async #missingFolders(steps: readonly Step[]): Promise<readonly string[]> {
    const missing = new Set<string>();
    for (const { file, fresh } of steps) {
      if (fresh === undefined) continue;
      const above: string[] = [];
      for (
        let each = path.dirname(file.target);
        !missing.has(each) && !(await statsAt(each));
        each = path.dirname(each)
      )
        above.unshift(each);
      for (const each of above) missing.add(each);
    }
    return [...missing].map((folder) => path.relative(this.root.resolved, folder).split(path.sep).join('/'));
  }
}

async function writeFresh({ file, fresh }: Step): Promise<void> {
  if (fresh === undefined || typeof file.staged !== 'object') return;
  await writeTo(fresh, file.staged.bytes, attributesOf(file, file.staged.mode));
}

// A second name for the old file itself, so that putting it back restores it with all its attributes. A file to delete gets its second name
// when it is deleted.
async function keep({ file: { target, path: name }, fresh, kept }: Step): Promise<void> {
  if (kept === undefined || fresh === undefined) return;
  try {
    await link(target, kept);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new Conflict({ path: name, reason: 'disappeared' });
    if (!lacksLinks(error)) throw error;
    await copyFile(target, kept, constants.COPYFILE_EXCL);
  }
}

async function switchNames({ file, fresh, kept }: Step): Promise<void> {
  if (kept === undefined) return createFile(file, fresh as string);
  if (fresh === undefined) return deleteFile(file, kept);
  const conflict = await conflictAt(file, file.target);
  if (!conflict) return rename(fresh, file.target);
  // The file was not replaced, so the second name is not needed for a rollback.
  await removeFile(kept);
  throw new Conflict(conflict);
}

// A hard link fails when something is there by now, which a rename would silently replace.
async function createFile({ target, path: name }: StagedFile, fresh: string): Promise<void> {
  try {
    await link(fresh, target);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw new Conflict({ path: name, reason: 'appeared' });
    if (!lacksLinks(error)) throw error;
    if (await statsAt(target)) throw new Conflict({ path: name, reason: 'appeared' });
    await rename(fresh, target);
  }
}

// Compares the renamed file itself, which contains everything that was written to it until now.
async function deleteFile(file: StagedFile, kept: string): Promise<void> {
  await rename(file.target, kept).catch((error: unknown) => {
    throw hasCode(error, 'ENOENT') ? new Conflict({ path: file.path, reason: 'disappeared' }) : error;
  });
  const conflict = await conflictAt(file, kept);
  if (conflict) throw new Conflict(conflict);
}

function stepOf(file: StagedFile): Step {
  return {
    file,
    fresh: file.staged === 'deleted' ? undefined : besideOf(file.target, 'new'),
    kept: file.base === undefined ? undefined : besideOf(file.target, 'kept'),
  };
}

function journalled({ file, fresh, kept }: Step): JournalFile {
  return {
    path: file.path,
    before: file.base?.digest ?? null,
    after: typeof file.staged === 'object' ? file.staged.digest : null,
    fresh: fresh === undefined ? null : path.basename(fresh),
    kept: kept === undefined ? null : path.basename(kept),
  };
}

async function conflictAt({ base, path: name }: StagedFile, at: string): Promise<FileConflict | undefined> {
  try {
    const { state } = await readState(at, Number.MAX_SAFE_INTEGER);
    if (state?.digest === base?.digest) return undefined;
    return { path: name, reason: state ? 'changed' : 'disappeared' };
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_FILE_KIND') return { path: name, reason: 'replaced' };
    throw error;
  }
}

function attributesOf({ base }: StagedFile, mode: number | undefined): FileAttributes {
  return base ? { mode: mode ?? modeOf(base.stats), uid: base.stats.uid, gid: base.stats.gid } : { mode };
}

function messageOf(error: unknown): string {
  if (error instanceof Conflict) return `${error.conflict.path} ${error.conflict.reason}`;
  return (error as Error).message;
}
