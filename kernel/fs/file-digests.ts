import { readFileSync, type Stats, statSync } from 'node:fs';
import { systemClock } from '../contracts/clock.js';
import { digestOf } from './digest.js';

interface Known {
  readonly stamp: string;
  readonly digest: string;
}

/** A file that was written so recently may be written again without other times. */
const FRESH_MS = 2_000;

/**
 * Digests of files that are asked for again and again. A file is read anew unless its size and times are those of the last look, and say
 * that it was not written just then.
 */
export class FileDigests {
  readonly #known = new Map<string, Known>();

  /** @returns undefined where there is no file, or none that can be read */
  of(file: string, stats: Stats | undefined = statOf(file)): string | undefined {
    const before = this.#known.get(file);
    const stamp = stats === undefined ? undefined : stampOf(stats);
    if (stamp !== undefined && before?.stamp === stamp) return before.digest;
    const digest = stats === undefined ? undefined : readDigest(file);
    if (digest === undefined || stamp === undefined) this.#known.delete(file);
    else this.#known.set(file, { stamp, digest });
    return digest;
  }
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string | undefined {
  return systemClock.now() - mtimeMs < FRESH_MS ? undefined : `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function readDigest(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    // It was deleted after the look at its times.
    return undefined;
  }
}
