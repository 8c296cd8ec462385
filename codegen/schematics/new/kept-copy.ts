import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { type LockOptions, withFileLock, writeFileAtomically } from '../../../kernel/fs/index.js';

/** Everything that decides what a checkout's package contains; the lock file, because the build bundles packages. */
const SOURCES = [
  '{kernel,plugins,codegen}/**',
  'docs/{guides,reference}/**',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'LICENSE',
  'README.md',
];
const OTHERS = ['**/node_modules/**', '**/dist/**', '**/*.test.ts', 'kernel/e2e/**'];

/** Whether a folder of the framework holds its sources, and not only what is built of them. */
export const isCheckout = (folder: string): boolean => existsSync(path.join(folder, 'kernel/bin/fw.ts'));

/**
 * What was packed of a checkout, kept in its `node_modules/.cache/fw-pack/` until a source changes. Only one is kept, and of
 * several processes one packs while the others wait.
 *
 * @param checkout - its folder
 * @param name - file name of the tarball
 * @param make - packs it
 * @throws FwError `FW_LOCK_TIMEOUT`, and what `make` throws
 */
export async function keptCopy(
  checkout: string,
  name: string,
  make: () => Promise<Buffer>,
  options: LockOptions,
): Promise<Buffer> {
  const cache = path.join(checkout, 'node_modules/.cache/fw-pack');
  await mkdir(cache, { recursive: true });
  return withFileLock(
    cache,
    async () => {
      const digest = await sourcesDigest(checkout);
      const kept = path.join(cache, digest, name);
      if (existsSync(kept)) return readFile(kept);
      const bytes = await make();
      for (const old of await readdir(cache))
        if (!old.startsWith('.')) await rm(path.join(cache, old), { recursive: true });
      await mkdir(path.dirname(kept));
      await writeFileAtomically(kept, bytes);
      return bytes;
    },
    options,
  );
}

async function sourcesDigest(checkout: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await glob(SOURCES, { cwd: checkout, ignore: OTHERS, dot: true })).sort()) {
    const bytes = await readFile(path.join(checkout, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}
