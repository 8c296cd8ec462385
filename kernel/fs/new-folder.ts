import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fwError } from '../errors/index.js';
import { hasCode } from './errno.js';
import { FS_ERRORS } from './errors.js';
import { withFileLock } from './file-lock.js';
import { flushFolders } from './folders.js';
import { Journal } from './journal.js';
import { recoverLocked } from './recover.js';
import { openRoots, type Root } from './roots.js';
import { statsAt } from './read-file.js';

/** Filling a folder takes longer than writing a few files, and other processes wait for it. */
const TIMEOUT_MS = 60_000;

/**
 * Makes a folder that appears only when it is complete: it is filled under a temporary name in the same directory, and then renamed. If the
 * process is killed half way, a journal in the directory lets the next process that writes there remove the unfinished folder
 * (`recoverWrites`).
 *
 * @param parent - existing directory
 * @param name - of the new folder
 * @param fill - gets the path under which the folder is filled
 * @throws FwError `FW_FOLDER_EXISTS`, `FW_FOLDER_UNMADE`, `FW_PATH_ROOTS`, `FW_LOCK_TIMEOUT`, `FW_LOCK_DIRECTORY`, and whatever `fill`
 *   throws; then nothing is left behind
 */
export async function fillNewFolder<Result>(
  parent: string,
  name: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> {
  const [root] = await openRoots([parent]);
  await refusePresent(path.join(root.resolved, name));
  return withFileLock(root.resolved, () => filled(root, name, fill), { timeoutMs: TIMEOUT_MS });
}

async function filled<Result>(root: Root, name: string, fill: (folder: string) => Promise<Result>): Promise<Result> {
  await recoverLocked(root);
  const fresh = `.${name}.${randomBytes(6).toString('hex')}.fw-new`;
  const folder = path.join(root.resolved, fresh);
  const target = path.join(root.resolved, name);
  const record = { at: new Date().toISOString(), files: [], folders: [], newFolder: { fresh, name } };
  const journal = await Journal.begin(root, record).catch((error: unknown) => Promise.reject(unmade(target, error)));
  try {
    await mkdir(folder).catch((error: unknown) => Promise.reject(unmade(target, error)));
    const result = await fill(folder);
    await moveTo(folder, target);
    await flushFolders([root.resolved]);
    return result;
  } finally {
    // After a failure nothing may be left; after the rename there is nothing to remove.
    await rm(folder, { recursive: true, force: true });
    await journal.remove();
  }
}

async function refusePresent(target: string): Promise<void> {
  if (await statsAt(target)) throw fwError(FS_ERRORS.FW_FOLDER_EXISTS, { path: target });
}

// POSIX rename() replaces an empty folder, which loses nothing, and refuses anything else.
async function moveTo(folder: string, target: string): Promise<void> {
  await refusePresent(target);
  await rename(folder, target).catch((error: unknown) => {
    if (hasCode(error, 'EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'))
      throw fwError(FS_ERRORS.FW_FOLDER_EXISTS, { path: target }, { cause: error });
    throw unmade(target, error);
  });
}

function unmade(target: string, cause: unknown): Error {
  return fwError(FS_ERRORS.FW_FOLDER_UNMADE, { path: target, reason: (cause as Error).message }, { cause });
}
