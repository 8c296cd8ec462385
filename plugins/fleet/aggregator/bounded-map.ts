/** Share of entries that are evicted when a map is full: one pass through the map then makes room for many. */
const EVICTED_SHARE = 0.25;

/** A map with a capacity: when it is full, the quarter of its entries that was seen longest ago is evicted and counted. */
export class BoundedMap<Value extends { readonly lastSeen: number }> {
  readonly #entries = new Map<string, Value>();
  #evicted = 0;

  constructor(readonly limit: number) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Number of entries that were evicted because the map was full. */
  get evicted(): number {
    return this.#evicted;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.limit && !this.#entries.has(key)) this.#evict();
    this.#entries.set(key, value);
  }

  /** Removes the entries for which a test holds. @returns how many */
  removeIf(test: (value: Value) => boolean): number {
    let count = 0;
    for (const [key, value] of this.#entries) if (test(value) && this.#entries.delete(key)) count++;
    return count;
  }

  entries(): IterableIterator<[string, Value]> {
    return this.#entries.entries();
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  #evict(): void {
    const oldest = [...this.#entries].sort(([, a], [, b]) => a.lastSeen - b.lastSeen);
    const count = Math.max(1, Math.floor(this.limit * EVICTED_SHARE));
    for (const [key] of oldest.slice(0, count)) this.#entries.delete(key);
    this.#evicted += count;
  }
}
