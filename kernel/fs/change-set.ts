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
  /** Is told of writes that somebody else was interrupted in, and that were put right before this commit. */
  readonly onRecovered?: (write: InterruptedWrite) => void;
  /** What the process goes on with once the changes stand. */
  readonly followUp?: FollowUp | undefined;
}

/**
 * Work that belongs to a commit and writes by itself, such as code generation. Killed before its end, the next one that writes
 * is told that it is due (`recoverWrites`).
 */
export interface FollowUp {
  /** What kind of work it is, by which another process knows how to do it. */
  readonly kind: string;
  /** Does it; runs after a commit that had nothing to do as well. */
  readonly run: () => Promise<unknown>;
}

type Confined = ConfinedPath & Pick<StagedFile, 'path' | 'target'>;

/**
 * Writes and deletions under one directory that wait in memory, and what the files looked like when they were first read,
 * written or deleted here. {@link commit} does all of it or nothing, and nothing when one of those files has changed since.
 *
 * Every path is confined to the directory; `.git` and whatever else lies in it is the caller's to leave alone.
 */
export class ChangeSet {
  readonly #files = new Map<string, Promise<StagedFile>>();
  /** Settles with the call before; its error went to its own caller. */
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
   * Content of a file as it will be: staged, else as it stands on disk; undefined when there is none. A commit is refused
   * when a file that was read has changed since.
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

  /** Stages a deletion; of a file that is not there, nothing. @throws FwError as {@link read} */
  async delete(file: string): Promise<void> {
    await this.#stage(file, 0, () => 'deleted');
  }

  // One after another: of two calls for one file the later one counts, whichever file system call is slower.
  async #stage(file: string, size: number, staged: () => StagedFile['staged']): Promise<void> {
    const done = this.#staging.then(async () => {
      const known = await this.#fileAt(file);
      this.#account(known, size);
      known.staged = staged();
    });
    this.#staging = done.catch(() => undefined);
    return done;
  }

  /** What a commit would do, sorted by path: nothing for a file that ends up as it was. */
  changes(): readonly FileChange[] {
    return this.#plan().map(({ change }) => change);
  }

  /** Files that are no longer as the change set found them, sorted by path. */
  async conflicts(): Promise<readonly FileConflict[]> {
    return this.#conflicts(new Map());
  }

  /** @param seen - receives what stood at each file */
  async #conflicts(seen: Map<StagedFile, FileState>): Promise<readonly FileConflict[]> {
    const found: FileConflict[] = [];
    await forEachAtOnce(this.#known.values(), async (file) => {
      const conflict = await this.#conflictOf(file, seen);
      if (conflict) found.push(conflict);
    });
    return found.sort(byPath);
  }

  /**
   * Writes and deletes everything, or nothing: when a file has changed since the change set saw it, nothing is written;
   * when writing fails half way, what was written is put back. Either way the change set stays open.
   *
   * No file system replaces several files at one instant: a reader may see some of the new files before the others. When the
   * process is killed in between, or the power fails, a journal lets the next one that writes put it right (`recoverWrites`).
   *
   * What follows runs when the changes stand and the lock is free again.
   *
   * @returns what was done
   * @throws FwError `FW_CHANGESET_CONFLICT` with `details.conflicts`, `FW_CHANGESET_COMMIT`, `FW_CHANGESET_ROLLBACK`,
   * `FW_CHANGESET_OVERLAP`, `FW_CHANGESET_CLOSED`, `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`, and whatever the follow-up throws; the changes stand then
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

  // Whoever asks for a file first has it looked at; the others wait for the same look.
  async #fileAt(file: string): Promise<StagedFile> {
    this.#refuseClosed();
    const confined = await this.#confined(file);
    const key = this.confinement.foldsCase ? folded(confined.path) : confined.path;
    const looked = await (this.#files.get(key) ?? this.#remember(confined, key));
    // It may have been committed or discarded while we looked, and what is staged now would be lost without a word.
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

  // A moment later: a file that nobody has touched by its times need not be read again. What somebody puts there within the
  // resolution of those is found by the last look, at the very file that is taken away.
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
      // A directory or link stands there, it leads out, it has become too large or unreadable: not what was found.
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
