import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemError } from './errno.js';

/**
 * A text that only saves time, in `node_modules/.cache/fw/` of a project. A project without `node_modules` has none. After a crash half of
 * it may be there, so the reader has to check it.
 */
export class CacheFile {
  readonly #packages: string;
  readonly #file: string;

  /**
   * @param root - of the project
   * @param name - of the file
   */
  constructor(root: string, name: string) {
    this.#packages = path.join(root, 'node_modules');
    this.#file = path.join(this.#packages, '.cache/fw', name);
  }

  /** Undefined where nothing was kept, or it cannot be read. */
  read(): string | undefined {
    return existsSync(this.#file) ? unlessRefused(() => readFileSync(this.#file, 'utf8')) : undefined;
  }

  /** Keeps a text; where the system refuses to write it, the next process does without. */
  write(text: string): void {
    if (!existsSync(this.#packages)) return;
    unlessRefused(() => {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(this.#file, text);
    });
  }
}

function unlessRefused<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}
