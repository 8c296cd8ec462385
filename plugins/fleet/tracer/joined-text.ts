/**
 * A long text of many short parts. Joined at once: every `+` would leave a string of its own behind, three times the bytes of
 * the text. The list of parts is kept for the next text, and holds nothing of the last one.
 */
export class JoinedText {
  readonly #parts: string[] = [];
  #count = 0;

  add(part: string): void {
    this.#parts[this.#count++] = part;
  }

  /** The text so far; the next part begins a new one. */
  take(): string {
    // After a long text a short one has much of the list left over.
    const isShort = this.#count * 2 < this.#parts.length;
    const text = (isShort ? this.#parts.slice(0, this.#count) : this.#parts).join('');
    this.#parts.fill('', 0, this.#count);
    this.#count = 0;
    return text;
  }
}
