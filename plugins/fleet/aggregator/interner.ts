/**
 * Gives one string for equal strings, so that a name that stands in thousands of spans is kept once. Bounded: what comes
 * after the limit is kept as it is, until the next turn.
 */
export class Interner {
  readonly #known = new Map<string, string>();

  constructor(private readonly limit: number) {}

  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // Starting over costs a few duplicates; remembering which string was used last would cost on every call.
    if (this.#known.size >= this.limit) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}
