/** Chunks that are kept as they come. Most bodies have fewer, and are not copied. */
const KEPT_AS_THEY_COME = 64;
const BLOCK = 64 * 1024;

/**
 * Collects the chunks of a stream, in memory that grows with their bytes and not with their number: whoever sends a body chooses how small
 * its chunks are (RFC 9112, section 7.1), and a million of one byte each would take hundreds of megabytes.
 */
export class CollectedBytes {
  #chunks: Buffer[] = [];
  /** Takes the bytes of further chunks. */
  #block: Buffer | undefined;
  #used = 0;
  #size = 0;

  /** Number of bytes. */
  get size(): number {
    return this.#size;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#block === undefined && this.#chunks.length < KEPT_AS_THEY_COME) this.#chunks.push(chunk);
    else for (let from = 0; from < chunk.length;) from += this.#copy(chunk, from);
  }

  /** All of them, in their order. Afterwards there is none. */
  take(): Buffer {
    if (this.#block) this.#chunks.push(this.#block.subarray(0, this.#used));
    const [first] = this.#chunks;
    const whole = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks, this.#size);
    this.forget();
    return whole;
  }

  /** Lets go of what was collected. */
  forget(): void {
    this.#chunks = [];
    this.#block = undefined;
    this.#used = 0;
    this.#size = 0;
  }

  #copy(chunk: Buffer, from: number): number {
    if (this.#block !== undefined && this.#used === BLOCK) {
      this.#chunks.push(this.#block);
      this.#block = undefined;
    }
    if (this.#block === undefined) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK);
      this.#used = 0;
    }
    const copied = chunk.copy(this.#block, this.#used, from);
    this.#used += copied;
    return copied;
  }
}
