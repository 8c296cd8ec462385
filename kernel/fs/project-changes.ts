import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ChangeSet } from './change-set.js';
import { realPathOf } from './real-path.js';
import { isInside, openRoots } from './roots.js';

// What is written is made by this process and fits into memory already.
const UNLIMITED = { maxFiles: Infinity, maxBytes: Infinity, maxFileBytes: Number.MAX_SAFE_INTEGER };

/** An empty change set, and the folder whose files it is to write. */
export interface FolderChanges {
  readonly changes: ChangeSet;
  /** With links resolved: build paths from this one. */
  readonly folder: string;
}

/**
 * Opens the change set in which a command of a project writes files of a folder. It lies over the project when the folder does,
 * so that the journal of a write that is interrupted lies where the project's next command looks. A folder elsewhere is made,
 * and has a journal of its own, which the next one that writes there finds.
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
