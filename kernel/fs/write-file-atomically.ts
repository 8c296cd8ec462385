import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../errors/index.js';
import { hasCode } from './errno.js';
import { FS_ERRORS } from './errors.js';
import { statsAt } from './read-file.js';

/** Owner and permissions of a file; default those of any new file of this process. */
export interface FileAttributes {
  /** Permission bits, e.g. `0o755`. */
  readonly mode?: number | undefined;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/**
 * Replaces or makes a file so that a reader sees the old content or the new one, never half of it, also after a crash: the
 * content goes to a file beside it, is flushed, and is renamed. A link at the path is replaced, not followed.
 *
 * @param attributes - default those of the file that is replaced
 * @throws FwError `FW_FILE_WRITE`; nothing is left behind then
 */
export async function writeFileAtomically(
  target: string,
  content: string | Uint8Array,
  attributes?: FileAttributes,
): Promise<void> {
  try {
    const beside = await writeBeside(target, content, attributes ?? (await attributesOf(target)));
    await rename(beside, target).catch(async (error: unknown) => {
      await removeFile(beside);
      throw error;
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw fwError(FS_ERRORS.FW_FILE_WRITE, { path: target, reason: message }, { cause });
  }
}

/**
 * Writes content to a new, flushed file in the target's directory, hence on the same file system.
 * @returns its path
 */
export async function writeBeside(
  target: string,
  content: string | Uint8Array,
  attributes: FileAttributes = {},
): Promise<string> {
  const beside = besideOf(target, 'new');
  await writeTo(beside, content, attributes);
  return beside;
}

/** Writes content to a new file and flushes it; on failure the file is removed. */
export async function writeTo(file: string, content: string | Uint8Array, attributes: FileAttributes): Promise<void> {
  const handle = await open(file, 'wx', attributes.mode ?? 0o666);
  try {
    // close() may fail too: some file systems report a full disk only then.
    await fill(handle, content, attributes).finally(() => handle.close());
  } catch (error) {
    await removeFile(file);
    throw error;
  }
}

/** Removes a file, when there is one. */
export async function removeFile(file: string): Promise<void> {
  await unlink(file).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
}

async function fill(handle: FileHandle, content: string | Uint8Array, attributes: FileAttributes): Promise<void> {
  await handle.writeFile(content);
  await setAttributes(handle, attributes);
  await handle.sync();
}

/** An unused name in the target's directory. */
export function besideOf(target: string, purpose: 'new' | 'kept'): string {
  // File systems allow names of 255 bytes: a long name must not make the temporary one too long.
  const name = Buffer.from(path.basename(target))
    .subarray(0, 200)
    .toString('latin1')
    .replace(/[^\w.-]/g, '_');
  return path.join(path.dirname(target), `.${name}.${randomBytes(6).toString('hex')}.fw-${purpose}`);
}

async function attributesOf(target: string): Promise<FileAttributes> {
  const stats = await statsAt(target);
  return stats?.isFile() ? { mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid } : {};
}

async function setAttributes(handle: FileHandle, { mode, uid, gid }: FileAttributes): Promise<void> {
  // The owner is set first, because changing it clears set-id bits. Only root may change the owner.
  const stats = await handle.stat();
  if (uid !== undefined && gid !== undefined && (stats.uid !== uid || stats.gid !== gid)) {
    await handle.chown(uid, gid).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPERM') throw error;
    });
  }
  // open() applies the umask, so the mode is set explicitly.
  if (mode !== undefined) await handle.chmod(mode);
}
