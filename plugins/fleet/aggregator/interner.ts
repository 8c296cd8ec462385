/** Returns the same string for equal strings, so that a name in thousands of spans is stored once. Bounded: at the limit it starts over. */
export class Interner {
  readonly #known = new Map<string, string>();

  constructor(private readonly limit: number) {}

  of(text: string): string {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    // Starting over costs a few duplicates; tracking the use of strings would cost time on every call.
    if (this.#known.size >= this.limit) this.#known.clear();
    this.#known.set(text, text);
    return text;
  }
}
