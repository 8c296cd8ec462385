/** Characters that are held back at most. */
const FULL = 16_384;

/** What lines are written to. */
interface LineSink {
  write(text: string): unknown;
}

/**
 * Buffers lines until the event loop has run all ready callbacks, and writes them at once: one system call per turn of the loop instead of
 * one per line. Nothing is lost when the process ends by itself, by `process.exit` or by an uncaught error.
 */
export class BufferedLines {
  #text = '';
  #scheduled: NodeJS.Immediate | undefined;

  constructor(private readonly sink: LineSink) {
    process.on('exit', () => this.flush());
  }

  /** Takes a line with its line break. */
  write(line: string): void {
    this.#text += line;
    if (this.#text.length >= FULL) this.flush();
    else this.#scheduled ??= setImmediate(() => this.flush());
  }

  /** Writes the buffered lines. */
  flush(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.sink.write(text);
  }
}
