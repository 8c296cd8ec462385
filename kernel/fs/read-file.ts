import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { type FwError, fwError } from '../errors/index.js';
import { FS_ERRORS } from './errors.js';

/** How to read a file. */
export interface ReadOptions {
  /** Largest file that is read, in bytes. */
  readonly maxBytes: number;
  /**
   * Whether a symbolic link at the end of the path is followed. Default `refuse`, which is what a path that came out of
   * `confinePath` or a directory listing needs.
   */
  readonly links?: 'follow' | 'refuse';
}

/** What was read. */
export interface FileContent {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

// Missing on some platforms, where 0 has no effect. Without NONBLOCK, opening a pipe would wait for a writer.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/**
 * Reads a regular file of bounded size.
 *
 * @throws FwError `FW_FILE_NOT_FOUND`; `FW_FILE_KIND` for a directory, link, pipe or device; `FW_FILE_TOO_LARGE`; `FW_FILE_READ` for any
 *   other error of the system
 */
export async function readBoundedFile(path: string, options: ReadOptions): Promise<FileContent> {
  const handle = await openRegular(path, options.links ?? 'refuse');
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw fwError(FS_ERRORS.FW_FILE_KIND, { path, found: kindOf(stats) });
    if (stats.size > options.maxBytes) throw tooLarge(path, options);
    const bytes = await readAll(handle, path, stats.size, options);
    return { bytes, stats };
  } finally {
    await handle.close();
  }
}

/**
 * Reads a regular text file of bounded size, in UTF-8; a byte order mark is left out.
 *
 * @throws FwError `FW_FILE_NOT_TEXT`, and what {@link readBoundedFile} throws
 */
export async function readTextFile(path: string, options: ReadOptions): Promise<string> {
  return decodeText(path, (await readBoundedFile(path, options)).bytes);
}

/** @throws FwError `FW_FILE_NOT_TEXT` when the bytes are not UTF-8 */
export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fwError(FS_ERRORS.FW_FILE_NOT_TEXT, { path }, { cause });
  }
}

/** What stands at a path, a link as itself; undefined where nothing does, or nobody may look. */
export function statsAt(at: string): Promise<Stats | undefined> {
  return lstat(at).catch(() => undefined);
}

/** What stands at a path, in words. */
export function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'a regular file';
  if (stats.isDirectory()) return 'a directory';
  return stats.isSymbolicLink() ? 'a symbolic link' : 'a pipe, socket or device';
}

async function openRegular(path: string, links: 'follow' | 'refuse'): Promise<FileHandle> {
  // Without O_NOFOLLOW (Windows) a check before opening is the best possible.
  if (links === 'refuse' && O_NOFOLLOW === 0) await refuseLink(path);
  try {
    return await open(path, O_RDONLY | O_NONBLOCK | (links === 'refuse' ? O_NOFOLLOW : 0));
  } catch (error) {
    // ELOOP: O_NOFOLLOW met a link, or followed links form a loop. ENXIO: a socket.
    const { code } = error as NodeJS.ErrnoException;
    if (links === 'refuse' && code === 'ELOOP') await refuseLink(path);
    if (code === 'ENXIO') throw fwError(FS_ERRORS.FW_FILE_KIND, { path, found: 'a pipe, socket or device' });
    throw unread(path, error);
  }
}

async function refuseLink(path: string): Promise<void> {
  const stats = await statsAt(path);
  if (stats?.isSymbolicLink()) throw fwError(FS_ERRORS.FW_FILE_KIND, { path, found: kindOf(stats) });
}

// A file may grow while it is read, and files of /proc have size 0, so the size is only a hint.
async function readAll(handle: FileHandle, path: string, size: number, options: ReadOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  for (let room = size + 1; ; room = 65_536) {
    const chunk = Buffer.allocUnsafe(Math.min(room, options.maxBytes + 1 - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null).catch((error: unknown) => {
      throw unread(path, error);
    });
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    total += bytesRead;
    if (total > options.maxBytes) throw tooLarge(path, options);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function unread(path: string, cause: unknown): FwError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return fwError(FS_ERRORS.FW_FILE_NOT_FOUND, { path }, { cause });
  return fwError(FS_ERRORS.FW_FILE_READ, { path, reason: message }, { cause });
}

function tooLarge(path: string, { maxBytes }: ReadOptions): FwError {
  return fwError(FS_ERRORS.FW_FILE_TOO_LARGE, { path, maxBytes });
}
