/** A map of the most recently used entries; others are evicted and counted. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #dropped = 0;

  constructor(private readonly capacity: number) {}

  /** Number of evicted entries. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The value of a key, made when there is none. */
  use(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    // The order of use matters only for eviction, where an approximate one suffices.
    if (known !== undefined && this.#entries.size < this.capacity) return known;
    const value = known ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.capacity) this.#dropOldest();
    return value;
  }

  values(): Value[] {
    return [...this.#entries.values()];
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest as Key);
    this.#dropped++;
  }
}
