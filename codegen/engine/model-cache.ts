import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ts } from 'ts-morph';
import { CacheFile, foldersAbove } from '../../kernel/fs/index.js';
import type { KeptModels } from '../orm/model-store.js';
import type { CompilerSettings } from '../program/index.js';

const LOCK_FILES = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'];

/**
 * Keeps the models as they were read, in `node_modules/.cache/fw/`, so that a run reads only those that changed. An entry is valid for one
 * build of the framework, one version of TypeScript, the settings of the project and its lock file; the caller compares the files
 * themselves. A project without `node_modules` has no cache.
 */
export class ModelCache {
  readonly #file: CacheFile;
  #key: string | undefined;

  /** @param code - which build of the framework runs; undefined turns the cache off */
  constructor(
    readonly root: string,
    readonly code: string | undefined,
  ) {
    this.#file = new CacheFile(root, 'models.json');
  }

  /** The entry of an earlier process under the same conditions. */
  read(settings: CompilerSettings): KeptModels | undefined {
    this.#key = this.#keyOf(settings);
    const text = this.code === undefined ? undefined : this.#file.read();
    if (text === undefined) return undefined;
    try {
      const { key, kept } = JSON.parse(text) as { key: string; kept: KeptModels };
      return key === this.#key ? kept : undefined;
    } catch {
      // An incomplete entry, or one of another version, is ignored and rewritten.
      return undefined;
    }
  }

  /** Writes the entry. */
  write(kept: KeptModels): void {
    if (this.code !== undefined) this.#file.write(JSON.stringify({ key: this.#key, kept }));
  }

  #keyOf({ options }: CompilerSettings): string {
    const hash = createHash('sha256').update(JSON.stringify([this.code, ts.version, options]));
    for (const file of this.#lockFiles()) hash.update(file).update(readFileSync(file));
    return hash.digest('hex');
  }

  // In a workspace the lock file is above the packages.
  #lockFiles(): readonly string[] {
    return foldersAbove(this.root)
      .flatMap((folder) => LOCK_FILES.map((name) => path.join(folder, name)))
      .filter((file) => existsSync(file));
  }
}
