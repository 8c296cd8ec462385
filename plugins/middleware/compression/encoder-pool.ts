import type { Transform } from 'node:stream';
import type { Encoder } from './encoder.js';

/** What the probe shows of a pool. */
export interface PoolFacts {
  readonly size: number;
  readonly busy: number;
  readonly waiting: number;
  /** Bodies that had to wait for an encoder. */
  readonly waits: number;
  /** Bodies that were sent as they are, because the queue was full or no encoder was free for a stream. */
  readonly overflowed: number;
}

/**
 * Bounds how many bodies one algorithm compresses at once, and how many may wait: memory and threads stay bounded whatever
 * comes. zlib offers no way to use a finished encoder again, so a place in the pool is what is shared.
 */
export class EncoderPool {
  #busy = 0;
  #waits = 0;
  #overflowed = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param size - bodies compressed at once
   * @param maxWaiting - bodies that may wait
   */
  constructor(
    private readonly encoder: Encoder,
    private readonly size: number,
    private readonly maxWaiting: number,
  ) {}

  get facts(): PoolFacts {
    const waiting = this.#waiting.length;
    return { size: this.size, busy: this.#busy, waiting, waits: this.#waits, overflowed: this.#overflowed };
  }

  /** Compresses at once, outside the pool. */
  encodeSync(body: Buffer | string): Buffer {
    return this.encoder.encodeSync(body);
  }

  /** @returns undefined when too many wait already */
  async encode(body: Buffer | string): Promise<Buffer | undefined> {
    if (!(await this.#enter())) return undefined;
    try {
      return await this.encoder.encode(body);
    } finally {
      this.#leave();
    }
  }

  /** An encoder for a stream, given back when the stream closes. @returns undefined when none is free: a stream may be endless */
  stream(): Transform | undefined {
    if (this.#busy >= this.size) {
      this.#overflowed++;
      return undefined;
    }
    this.#busy++;
    return this.encoder.stream().once('close', () => this.#leave());
  }

  async #enter(): Promise<boolean> {
    if (this.#busy < this.size) {
      this.#busy++;
      return true;
    }
    if (this.#waiting.length >= this.maxWaiting) {
      this.#overflowed++;
      return false;
    }
    this.#waits++;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return true;
  }

  // The place goes straight to the next one that waits.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy--;
  }
}
