/** A line of a {@link LineSplitter} without its line break, or a marker for one that was too long. */
export type Line = { readonly text: string } | { readonly oversized: true };

const NEWLINE = 0x0a;

/** Cuts a byte stream into lines. A line above the limit is skipped up to its end, so that the stream stays usable. */
export class LineSplitter {
  #chunks: Buffer[] = [];
  #length = 0;
  #skipping = false;

  /** @param maxBytes - longest line that is kept */
  constructor(private readonly maxBytes: number) {}

  /** Lines that a chunk completes. */
  *push(chunk: Buffer): Generator<Line> {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      yield this.#take();
    }
    this.#keep(chunk.subarray(from));
  }

  /** The last line, when the stream ends without a newline. */
  end(): Line | undefined {
    return this.#length > 0 || this.#skipping ? this.#take() : undefined;
  }

  #keep(bytes: Buffer): void {
    if (this.#skipping || bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length > this.maxBytes) {
      this.#skipping = true;
      this.#chunks = [];
    } else this.#chunks.push(bytes);
  }

  #take(): Line {
    const line: Line = this.#skipping ? { oversized: true } : { text: Buffer.concat(this.#chunks).toString('utf8') };
    this.#chunks = [];
    this.#length = 0;
    this.#skipping = false;
    return line;
  }
}
