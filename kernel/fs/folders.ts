import { lstat, mkdir, open } from 'node:fs/promises';
import { fwError } from '../errors/index.js';
import { hasCode } from './errno.js';
import { FS_ERRORS } from './errors.js';
import { kindOf, statsAt } from './read-file.js';

/**
 * Makes a folder of fw's own unless it is there. A link in its place would let a project place files wherever it points.
 * @throws FwError `FW_FILE_KIND`
 */
export async function makeOwnFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    const stats = await lstat(folder);
    if (!stats.isDirectory()) throw fwError(FS_ERRORS.FW_FILE_KIND, { path: folder, found: kindOf(stats) });
  }
}

/** Whether a folder, and not a link to one, stands at a path. */
export async function isFolder(at: string): Promise<boolean> {
  return (await statsAt(at))?.isDirectory() ?? false;
}

/**
 * Waits until what was made, renamed or removed in folders is on the disk. Without it a power failure may keep a later change
 * and lose an earlier one (POSIX orders nothing but what is flushed).
 */
export async function flushFolders(folders: Iterable<string>): Promise<void> {
  for (const folder of new Set(folders)) await flushFolder(folder);
}

// Some systems cannot open a folder or flush it (Windows, a few network file systems); they order what they do themselves. A
// folder that was not made, or was removed, has nothing to flush.
const CANNOT = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF', 'ENOENT', 'ENOTDIR'];

async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!hasCode(error, ...CANNOT)) throw error;
  }
}
