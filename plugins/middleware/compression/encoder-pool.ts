import type { Encoder, StreamEncoder } from './encoder.js';

/** What the probe shows of a pool. */
interface PoolFacts {
  readonly size: number;
  readonly busy: number;
  readonly waiting: number;
  /** Bodies that had to wait for an encoder. */
  readonly waits: number;
  /** Streams that are compressed now. */
  readonly streams: number;
  /** Bodies that were sent as they are, because the queue was full or too many streams were open. */
  readonly overflowed: number;
}

/**
 * Bounds how many bodies one algorithm compresses at once, and how many may wait: memory and threads stay bounded whatever comes. zlib
 * cannot reuse a finished encoder, so the pool only limits their number. Streams have a limit of their own, because they may be open for
 * hours and waiting bodies must not wait for them.
 */
export class EncoderPool {
  #busy = 0;
  #streams = 0;
  #waits = 0;
  #overflowed = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * @param size - bodies compressed at once
   * @param maxWaiting - bodies that may wait
   * @param maxStreams - streams compressed at once
   */
  constructor(
    private readonly encoder: Encoder,
    private readonly size: number,
    private readonly maxWaiting: number,
    private readonly maxStreams: number,
  ) {}

  get facts(): PoolFacts {
    const waiting = this.#waiting.length;
    const counts = { waits: this.#waits, streams: this.#streams, overflowed: this.#overflowed };
    return { size: this.size, busy: this.#busy, waiting, ...counts };
  }

  /** Whether the algorithm can compress streams incrementally. */
  get takesStreams(): boolean {
    return this.encoder.stream !== undefined;
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

  /**
   * An encoder for a stream; its place is released when the stream closes. @returns undefined when none is free: a stream may be endless
   */
  stream(): StreamEncoder | undefined {
    if (this.#streams >= this.maxStreams) {
      this.#overflowed++;
      return undefined;
    }
    const encoder = this.encoder.stream?.();
    if (encoder === undefined) return undefined;
    this.#streams++;
    encoder.once('close', () => this.#streams--);
    return encoder;
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

  // Passes the place directly to the next waiting body.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy--;
  }
}
