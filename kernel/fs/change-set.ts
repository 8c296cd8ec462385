import path from 'node:path';
import { fwError } from '../errors/index.js';
import { applyChanges, type PlannedChange } from './apply-changes.js';
import { forEachAtOnce } from './at-once.js';
import { type ConfinedPath, confinePath, reconfine } from './confine-path.js';
import { digestOf } from './digest.js';
import { FS_ERRORS } from './errors.js';
import { type LockOptions, withFileLock } from './file-lock.js';
import type { Journal } from './journal.js';
import { decodeText } from './read-file.js';
import { type InterruptedWrite, recoverLocked } from './recover.js';
import { folded, openRoots, type Root } from './roots.js';
import {
  changeOf,
  conflictBetween,
  type FileChange,
  type FileConflict,
  type FileState,
  isStillThere,
  readState,
  refuseOtherKinds,
  type StagedFile,
} from './staged-file.js';

/** Bounds of a change set. */
export interface ChangeSetLimits {
  /** Files that are read, written or deleted; default 10 000. */
  readonly maxFiles?: number;
  /** Bytes of all content that waits to be written; default 64 MiB. */
  readonly maxBytes?: number;
  /** Bytes of one file that is read or replaced; default 16 MiB. */
  readonly maxFileBytes?: number;
}

/** How to commit. */
export interface CommitOptions extends LockOptions {
  /** Called for each interrupted write of another process that was repaired before this commit. */
  readonly onRecovered?: (write: InterruptedWrite) => void;
  /** Work to do after the changes are made. */
  readonly followUp?: FollowUp | undefined;
}

/**
 * Work that belongs to a commit and makes writes of its own, such as code generation. If the process is killed before its end, the next
 * process that writes learns that the work is due (`recoverWrites`).
 */
export interface FollowUp {
  /** Kind of the work; another process finds by it how to do the work. */
  readonly kind: string;
  /** Does the work; also called after a commit without changes. */
  readonly run: () => Promise<unknown>;
}

type Confined = ConfinedPath & Pick<StagedFile, 'path' | 'target'>;

/**
 * Planned writes and deletions under one directory, kept in memory with the state of each file when it was first read, written or deleted
 * here. {@link commit} applies all of them or none, and none when one of those files has changed since.
 *
 * Every path is confined to the directory; the caller takes care not to touch `.git` and the like.
 */
export class ChangeSet {
  readonly #files = new Map<string, Promise<StagedFile>>();
  /** Settles with the previous call; that call's own caller gets its error. */
  #staging: Promise<unknown> = Promise.resolve();
  readonly #known = new Map<string, StagedFile>();
  #bytes = 0;
  #closed: 'committed' | 'discarded' | undefined;
  #committing = false;

  private constructor(
    private readonly confinement: Root,
    private readonly limits: Required<ChangeSetLimits>,
  ) {}

  /**
   * Opens an empty change set over an existing directory.
   * @throws FwError `FW_PATH_ROOTS`
   */
  static async open(directory: string, limits: ChangeSetLimits = {}): Promise<ChangeSet> {
    const [root] = await openRoots([directory]);
    return new ChangeSet(root, { maxFiles: 10_000, maxBytes: 64 << 20, maxFileBytes: 16 << 20, ...limits });
  }

  /** The directory, absolute and with links resolved. */
  get root(): string {
    return this.confinement.resolved;
  }

  /**
   * Content of a file after a commit: the staged one, else the one on disk; undefined when there is no file. A commit is refused when a
   * file that was read has changed since.
   *
   * @param file - relative to the root, or absolute inside it
   * @throws FwError `FW_PATH_*`, `FW_FILE_KIND`, `FW_FILE_TOO_LARGE`, `FW_CHANGESET_FULL`, `FW_CHANGESET_CLOSED`
   */
  async read(file: string): Promise<Buffer | undefined> {
    const known = await this.#fileAt(file);
    if (known.staged === 'deleted') return undefined;
    if (known.staged) return known.staged.bytes;
    return (await readState(known.target, this.limits.maxFileBytes)).bytes;
  }

  /** Like {@link read}, as text. @throws FwError `FW_FILE_NOT_TEXT` as well */
  async readText(file: string): Promise<string | undefined> {
    const bytes = await this.read(file);
    return bytes && decodeText(file, bytes);
  }

  /**
   * Stages content. Directories on the way are made by the commit.
   *
   * @param mode - permission bits; default those of the file that is replaced
   * @throws FwError as {@link read}
   */
  async write(file: string, content: string | Uint8Array, mode?: number): Promise<void> {
    const bytes = Buffer.from(content as string);
    await this.#stage(file, bytes.length, () => ({ bytes, digest: digestOf(bytes), mode }));
  }

  /** Stages a deletion; does nothing for a file that does not exist. @throws FwError as {@link read} */
  async delete(file: string): Promise<void> {
    await this.#stage(file, 0, () => 'deleted');
  }

  // Serialised, so that of two calls for one file the later one wins, whichever file system call is slower.
  async #stage(file: string, size: number, staged: () => StagedFile['staged']): Promise<void> {
    const done = this.#staging.then(async () => {
      const known = await this.#fileAt(file);
      this.#account(known, size);
      known.staged = staged();
    });
    this.#staging = done.catch(() => undefined);
    return done;
  }

  /** The changes that a commit would make, sorted by path; files that end up unchanged are left out. */
  changes(): readonly FileChange[] {
    return this.#plan().map(({ change }) => change);
  }

  /** Files that have changed since the change set first saw them, sorted by path. */
  async conflicts(): Promise<readonly FileConflict[]> {
    return this.#conflicts(new Map());
  }

  /** @param seen - receives the current state of each file */
  async #conflicts(seen: Map<StagedFile, FileState>): Promise<readonly FileConflict[]> {
    const found: FileConflict[] = [];
    await forEachAtOnce(this.#known.values(), async (file) => {
      const conflict = await this.#conflictOf(file, seen);
      if (conflict) found.push(conflict);
    });
    return found.sort(byPath);
  }

  /**
   * Writes and deletes everything, or nothing: when a file has changed since the change set saw it, nothing is written; when writing fails
   * half way, what was written is put back. Either way the change set stays open.
   *
   * No file system replaces several files at one instant: a reader may see some of the new files before the others. When the process is
   * killed in between, or the power fails, a journal lets the next process that writes repair it (`recoverWrites`).
   *
   * The follow-up work runs after the changes are made and the lock is released.
   *
   * @returns what was done
   * @throws FwError `FW_CHANGESET_CONFLICT` with `details.conflicts`, `FW_CHANGESET_COMMIT`, `FW_CHANGESET_ROLLBACK`,
   *   `FW_CHANGESET_OVERLAP`, `FW_CHANGESET_CLOSED`, `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`, and whatever the follow-up work throws, after
   *   the changes were made
   */
  async commit(options: CommitOptions = {}): Promise<readonly FileChange[]> {
    this.#refuseClosed();
    this.#committing = true;
    try {
      const plan = this.#plan();
      this.#refuseOverlap(plan);
      const due =
        plan.length > 0 ? await withFileLock(this.root, () => this.#apply(plan, options), options) : undefined;
      this.#closed = 'committed';
      await options.followUp?.run().finally(() => due?.remove());
      return plan.map(({ change }) => change);
    } finally {
      this.#committing = false;
    }
  }

  /** Drops everything. @returns what a commit would have done */
  discard(): readonly FileChange[] {
    this.#refuseClosed();
    const dropped = this.changes();
    this.#closed = 'discarded';
    this.#files.clear();
    this.#known.clear();
    return dropped;
  }

  async #apply(plan: readonly PlannedChange[], { onRecovered, followUp }: CommitOptions): Promise<Journal | undefined> {
    for (const write of await recoverLocked(this.confinement)) onRecovered?.(write);
    const seen = new Map<StagedFile, FileState>();
    const conflicts = await this.#conflicts(seen);
    if (conflicts.length > 0) throw this.#conflictError(conflicts);
    const conflictOf = (file: StagedFile) => this.#conflictSince(file, seen.get(file));
    const { conflict, due } = await applyChanges(this.confinement, plan, { conflictOf, followUp: followUp?.kind });
    if (conflict) throw this.#conflictError([conflict]);
    return due;
  }

  #conflictError(conflicts: readonly FileConflict[]): Error {
    const files = conflicts.slice(0, 5).map((each) => `${each.path} (${each.reason})`);
    if (conflicts.length > 5) files.push(`and ${conflicts.length - 5} more`);
    return fwError(FS_ERRORS.FW_CHANGESET_CONFLICT, { files, root: this.root, conflicts });
  }

  #plan(): readonly PlannedChange[] {
    return [...this.#known.values()]
      .flatMap((file) => {
        const change = changeOf(file);
        return change ? [{ file, change }] : [];
      })
      .sort((one, other) => byPath(one.change, other.change));
  }

  #refuseOverlap(plan: readonly PlannedChange[]): void {
    const written = new Set(plan.filter(({ change }) => change.change !== 'deleted').map(({ change }) => change.path));
    for (const below of written) {
      for (let end = below.lastIndexOf('/'); end > 0; end = below.lastIndexOf('/', end - 1)) {
        const file = below.slice(0, end);
        if (written.has(file)) throw fwError(FS_ERRORS.FW_CHANGESET_OVERLAP, { root: this.root, file, below });
      }
    }
  }

  // The first caller for a file reads its state; the others wait for the same read.
  async #fileAt(file: string): Promise<StagedFile> {
    this.#refuseClosed();
    const confined = await this.#confined(file);
    const key = this.confinement.foldsCase ? folded(confined.path) : confined.path;
    const looked = await (this.#files.get(key) ?? this.#remember(confined, key));
    // The change set may have been closed during the read: then the staged change would be lost silently.
    this.#refuseClosed();
    return looked;
  }

  #remember(confined: Confined, key: string): Promise<StagedFile> {
    if (this.#files.size >= this.limits.maxFiles) throw this.#full(confined.path, `${this.limits.maxFiles} files`);
    const looked = this.#look(confined, key);
    this.#files.set(key, looked);
    return looked;
  }

  async #look({ path, target }: Confined, key: string): Promise<StagedFile> {
    try {
      const { state } = await readState(target, this.limits.maxFileBytes);
      const file: StagedFile = { path, target, base: state };
      this.#known.set(key, file);
      return file;
    } catch (error) {
      this.#files.delete(key);
      throw error;
    }
  }

  async #confined(file: string): Promise<Confined> {
    const confined = await confinePath(file, [this.confinement]);
    // A link to a file inside the root is refused as well: replacing it would turn the link into a file.
    await refuseOtherKinds(confined.requested);
    const relative = path.relative(this.root, confined.resolved).split(path.sep).join('/');
    return { ...confined, path: relative, target: confined.resolved };
  }

  // Compares once more, a moment later: a file whose times have not changed need not be read again. A change within the resolution of those
  // times is found by the last comparison, of the renamed file itself.
  async #conflictSince(file: StagedFile, seen: FileState): Promise<FileConflict | undefined> {
    const isUntouched = await isStillThere(file.target, seen?.stats);
    return isUntouched ? this.#strayed(file) : this.#conflictOf(file);
  }

  async #strayed({ path, target }: StagedFile): Promise<FileConflict | undefined> {
    return this.#reconfined(target).then(
      () => undefined,
      () => ({ path, reason: 'replaced' }),
    );
  }

  async #reconfined(target: string): Promise<void> {
    await reconfine({ requested: target, resolved: target, exists: true, root: this.confinement }, [this.confinement]);
  }

  async #conflictOf(file: StagedFile, seen?: Map<StagedFile, FileState>): Promise<FileConflict | undefined> {
    try {
      const { target } = file;
      await this.#reconfined(target);
      const { state } = await readState(target, this.limits.maxFileBytes);
      seen?.set(file, state);
      return conflictBetween(file.path, file.base, state);
    } catch {
      // A directory or link took its place, it leads outside, or it has become too large or unreadable.
      return { path: file.path, reason: 'replaced' };
    }
  }

  #account({ path, staged }: StagedFile, bytes: number): void {
    const before = staged && staged !== 'deleted' ? staged.bytes.length : 0;
    const total = this.#bytes - before + bytes;
    if (total > this.limits.maxBytes) throw this.#full(path, `${this.limits.maxBytes} bytes`);
    this.#bytes = total;
  }

  #full(path: string, limit: string): Error {
    return fwError(FS_ERRORS.FW_CHANGESET_FULL, { path, limit });
  }

  #refuseClosed(): void {
    const how = this.#closed ?? (this.#committing ? 'being committed' : undefined);
    if (how) throw fwError(FS_ERRORS.FW_CHANGESET_CLOSED, { root: this.root, how });
  }
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}
