import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ChangeSet } from './change-set.js';
import { realPathOf } from './real-path.js';
import { isInside, openRoots } from './roots.js';

// No limits: this process made the content, so it fits into memory.
const UNLIMITED = { maxFiles: Infinity, maxBytes: Infinity, maxFileBytes: Number.MAX_SAFE_INTEGER };

/** An empty change set, and the folder whose files it is to write. */
interface FolderChanges {
  readonly changes: ChangeSet;
  /** With links resolved: join paths to this one. */
  readonly folder: string;
}

/**
 * Opens the change set in which a command of a project writes files of a folder. For a folder inside the project it covers the whole
 * project, so that the project's next command finds the journal of an interrupted write. A folder elsewhere is created and has a journal of
 * its own, which the next process that writes there finds.
 *
 * @param project - existing folder
 * @param folder - need not exist
 * @throws FwError `FW_PATH_ROOTS`
 */
export async function changesIn(project: string, folder: string): Promise<FolderChanges> {
  const [root] = await openRoots([project]);
  const found = await realPathOf(path.resolve(project, folder));
  const resolved = 'resolved' in found ? found.resolved : path.resolve(project, folder);
  if (isInside(root, root.resolved, resolved))
    return { changes: await ChangeSet.open(root.resolved, UNLIMITED), folder: resolved };
  await mkdir(resolved, { recursive: true });
  return { changes: await ChangeSet.open(resolved, UNLIMITED), folder: resolved };
}
