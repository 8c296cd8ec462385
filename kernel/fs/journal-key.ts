import { randomBytes } from 'node:crypto';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fwError, isFwError } from '../errors/index.js';
import { lacksLinks } from './errno.js';
import { FS_ERRORS } from './errors.js';
import { readBoundedFile } from './read-file.js';
import { isInside, type Root } from './roots.js';
import { stateFolder } from './state-folder.js';
import { writeBeside } from './write-file-atomically.js';

/** The secret that journals are signed with, or why there is none. */
export type JournalKey = { readonly key: Buffer } | { readonly missing: string };

const NAME = 'journal.key';
const BYTES = 32;

/** The key of this user on this machine, if there is one and only the user can read it. */
export async function readJournalKey(root: Root): Promise<JournalKey> {
  return keyIn(() => keyFile(root));
}

/** Like {@link readJournalKey}, but makes the key when there is none yet. */
export async function ensureJournalKey(root: Root): Promise<JournalKey> {
  return keyIn(async () => {
    const file = keyFile(root);
    if ((await contentOf(file)) === undefined) await makeKey(file);
    return file;
  });
}

async function keyIn(locate: () => string | Promise<string>): Promise<JournalKey> {
  try {
    const file = await locate();
    const found = await contentOf(file);
    if (!found) return { missing: `there is no ${file}` };
    const { bytes, stats } = found;
    const isOthers = process.platform !== 'win32' && (stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0);
    if (isOthers) return { missing: `${file} is not this user's alone (expected mode 0600)` };
    return bytes.length === BYTES ? { key: bytes } : { missing: `${file} does not hold ${BYTES} bytes` };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

// The key must not lie inside the root: a copied or shared project would contain it.
function keyFile(root: Root): string {
  const folder = stateFolder();
  const isCarried = isInside(root, root.resolved, folder) && !isInside(root, root.resolved, path.resolve(homedir()));
  if (isCarried) throw fwError(FS_ERRORS.FW_STATE_FOLDER, { reason: `${folder} lies inside ${root.resolved}` });
  return path.join(folder, NAME);
}

async function contentOf(file: string) {
  try {
    return await readBoundedFile(file, { maxBytes: 1024 });
  } catch (error) {
    if (isFwError(error) && error.code === 'FW_FILE_NOT_FOUND') return undefined;
    throw error;
  }
}

// If two processes make a key at once, both use that of the first.
async function makeKey(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const fresh = await writeBeside(file, randomBytes(BYTES), { mode: 0o600 });
  try {
    await link(fresh, file).catch(async (error: NodeJS.ErrnoException) => {
      if (lacksLinks(error)) await rename(fresh, file);
      else if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(fresh, { force: true });
  }
}
