/**
 * A long text of many short parts. The parts are joined once at the end: every `+` would make an intermediate string, in all three times
 * the bytes of the text. The array of parts is reused for the next text.
 */
export class JoinedText {
  readonly #parts: string[] = [];
  #count = 0;

  add(part: string): void {
    this.#parts[this.#count++] = part;
  }

  /** The text so far; the next part begins a new one. */
  take(): string {
    // After a long text, the array has unused parts of it, which are cleared.
    const isShort = this.#count * 2 < this.#parts.length;
    const text = (isShort ? this.#parts.slice(0, this.#count) : this.#parts).join('');
    this.#parts.fill('', 0, this.#count);
    this.#count = 0;
    return text;
  }
}
