import { StringDecoder } from 'node:string_decoder';

/** Longest piece that is handed on as one line, in characters. */
export const MAX_LINE_LENGTH = 65_536;

/** Cuts bytes into lines. A line that does not end within {@link MAX_LINE_LENGTH} characters is handed on in pieces. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(private readonly emit: (line: string) => void) {}

  push(chunk: Buffer): void {
    this.#take(this.#decoder.write(chunk));
  }

  /** Emits the rest after the last line break. */
  end(): void {
    this.#take(this.#decoder.end());
    if (this.#rest !== '') this.#emit(this.#rest);
    this.#rest = '';
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() as string;
    for (const line of lines) this.#emit(line);
    this.#rest = this.#withoutFullPieces(this.#rest);
  }

  #emit(line: string): void {
    const last = this.#withoutFullPieces(line);
    this.emit(last.endsWith('\r') ? last.slice(0, -1) : last);
  }

  #withoutFullPieces(text: string): string {
    let from = 0;
    for (; text.length - from > MAX_LINE_LENGTH; from += MAX_LINE_LENGTH) {
      this.emit(text.slice(from, from + MAX_LINE_LENGTH));
    }
    return from === 0 ? text : text.slice(from);
  }
}
