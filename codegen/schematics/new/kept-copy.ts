import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import { type LockOptions, withFileLock, writeFileAtomically } from '../../../kernel/fs/index.js';

/** All inputs of a checkout's package; the lock file is one, because the build bundles packages. */
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

const CACHE = 'node_modules/.cache/fw-pack';

/** Whether a folder of the framework has its sources, and not only the built files. */
export const isCheckout = (folder: string): boolean => existsSync(path.join(folder, 'kernel/bin/fw.ts'));

/**
 * The packed checkout, cached in its `node_modules/.cache/fw-pack/` until a source changes. Only one is kept, and only one process packs
 * while others wait.
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
  const cache = path.join(checkout, CACHE);
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

/** The kept copy, if the sources have not changed since; waits for nobody who is packing. */
export async function keptAlready(checkout: string, name: string): Promise<Buffer | undefined> {
  const cache = path.join(checkout, CACHE);
  if (!existsSync(cache)) return undefined;
  const kept = path.join(cache, await sourcesDigest(checkout), name);
  return existsSync(kept) ? readFile(kept) : undefined;
}

async function sourcesDigest(checkout: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await glob(SOURCES, { cwd: checkout, ignore: OTHERS, dot: true })).sort()) {
    const bytes = await readFile(path.join(checkout, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}
