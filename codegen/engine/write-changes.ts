import { existsSync } from 'node:fs';
import { readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { changesIn } from '../../kernel/fs/index.js';
import type { Change } from './output-plan.js';

/**
 * Makes the changes, all of them or none, also when the process is killed half way (see `ChangeSet.commit`). Deletes orphans, and folders
 * that become empty. Without changes nothing is written and no lock is taken.
 *
 * @param outDir - absolute; never removed itself
 * @param root - the project
 * @returns a sentence for each interrupted write of another process that was repaired
 */
export async function writeChanges(
  changes: readonly Change[],
  outDir: string,
  root: string,
): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const { changes: set, folder } = await changesIn(root, outDir);
  await Promise.all(
    changes.map(({ path: file, text }) => {
      const at = path.join(folder, path.relative(outDir, file));
      return text === undefined ? set.delete(at) : set.write(at, text);
    }),
  );
  const recovered: string[] = [];
  await set.commit({ onRecovered: ({ text }) => recovered.push(text) });
  for (const { path: file, text } of changes)
    if (text === undefined) await removeEmptyFolders(path.dirname(file), outDir);
  return recovered;
}

async function removeEmptyFolders(folder: string, outDir: string): Promise<void> {
  const gone = !existsSync(folder);
  if (folder === outDir || (!gone && (await readdir(folder)).length > 0)) return;
  if (!gone) await rmdir(folder);
  await removeEmptyFolders(path.dirname(folder), outDir);
}
