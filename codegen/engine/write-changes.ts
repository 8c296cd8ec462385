import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../kernel/fs/index.js';
import type { Change } from './output-plan.js';

/**
 * Makes the changes: each file appears whole or not at all, orphans go, and so do folders that they leave empty.
 * @param outDir - absolute; never removed itself
 */
export async function writeChanges(changes: readonly Change[], outDir: string): Promise<void> {
  const queue = [...changes];
  // Each write waits for the disk: several at a time, but not hundreds.
  await Promise.all(Array.from({ length: WRITES_AT_ONCE }, () => work(queue)));
  for (const { path: file, text } of changes)
    if (text === undefined) await removeEmptyFolders(path.dirname(file), outDir);
}

const WRITES_AT_ONCE = 16;

async function work(queue: Change[]): Promise<void> {
  for (let change = queue.shift(); change !== undefined; change = queue.shift()) await writeChange(change);
}

async function writeChange({ path: file, text }: Change): Promise<void> {
  if (text === undefined) return rm(file, { force: true });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFileAtomically(file, text);
}

async function removeEmptyFolders(folder: string, outDir: string): Promise<void> {
  const gone = !existsSync(folder);
  if (folder === outDir || (!gone && (await readdir(folder)).length > 0)) return;
  if (!gone) await rmdir(folder);
  await removeEmptyFolders(path.dirname(folder), outDir);
}
