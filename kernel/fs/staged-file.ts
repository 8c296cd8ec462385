import type { Stats } from 'node:fs';
import { fwError, isFwError } from '../errors/index.js';
import { digestOf } from './digest.js';
import { FS_ERRORS } from './errors.js';
import { kindOf, readBoundedFile, statsAt } from './read-file.js';

/** State of a file at one moment; undefined when there was none. */
export type FileState = { readonly digest: string; readonly stats: Stats } | undefined;

/** A file that a change set knows. */
export interface StagedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Absolute, links resolved. */
  readonly target: string;
  /** State when the change set first read it. */
  readonly base: FileState;
  /** The planned content; undefined when the file was only read. */
  staged?: StagedContent | 'deleted' | undefined;
}

/** Content that waits to be written. */
interface StagedContent {
  readonly bytes: Buffer;
  readonly digest: string;
  /** Permission bits, when they are to change. */
  readonly mode: number | undefined;
}

/** The change of one file. */
export interface FileChange {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Size afterwards; not there for a deleted file. */
  readonly bytes?: number;
}

/** A file that has changed since the change set first read it. */
export interface FileConflict {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** `replaced`: something other than a regular file stands there, or the path leads elsewhere. */
  readonly reason: 'changed' | 'appeared' | 'disappeared' | 'replaced';
}

/** The net effect on a file, or undefined when it stays as it was. */
export function changeOf({ path, base, staged }: StagedFile): FileChange | undefined {
  if (staged === undefined) return undefined;
  if (staged === 'deleted') return base && { path, change: 'deleted' };
  if (!base) return { path, change: 'created', bytes: staged.bytes.length };
  const same = base.digest === staged.digest && (staged.mode ?? modeOf(base.stats)) === modeOf(base.stats);
  return same ? undefined : { path, change: 'modified', bytes: staged.bytes.length };
}

/** How the state of a path differs from the one that the change set found. */
export function conflictBetween(path: string, base: FileState, now: FileState): FileConflict | undefined {
  if (base?.digest === now?.digest) return undefined;
  if (!base) return { path, reason: 'appeared' };
  return { path, reason: now ? 'changed' : 'disappeared' };
}

/** @throws FwError `FW_FILE_KIND`, `FW_FILE_TOO_LARGE`, `FW_FILE_READ` */
export async function readState(target: string, maxBytes: number): Promise<{ state: FileState; bytes?: Buffer }> {
  try {
    const { bytes, stats } = await readBoundedFile(target, { maxBytes });
    return { state: { digest: digestOf(bytes), stats }, bytes };
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_FILE_NOT_FOUND') return { state: undefined };
    throw error;
  }
}

/** Whether a file was not written, replaced or given other attributes since; its content is not read. */
export async function isStillThere(target: string, before: Stats | undefined): Promise<boolean> {
  const now = await statsAt(target);
  if (now === undefined || before === undefined) return now === before;
  return IDENTITY.every((name) => now[name] === before[name]);
}

// `ctime` is included because a writer cannot set it.
const IDENTITY = ['dev', 'ino', 'mode', 'size', 'mtimeMs', 'ctimeMs'] as const;

/** @throws FwError `FW_FILE_KIND` when something stands there that is not a regular file */
export async function refuseOtherKinds(path: string): Promise<void> {
  const stats = await statsAt(path);
  if (stats && !stats.isFile()) throw fwError(FS_ERRORS.FW_FILE_KIND, { path, found: kindOf(stats) });
}

/** Permission bits of a file. */
export function modeOf(stats: Stats): number {
  return stats.mode & 0o7777;
}
