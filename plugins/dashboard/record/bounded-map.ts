/** A map of the entries that were used last; the others are dropped and counted. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  #dropped = 0;

  constructor(private readonly capacity: number) {}

  /** Entries that had to go. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The value of a key, made when there is none. */
  use(key: Key, make: () => Value): Value {
    const known = this.#entries.get(key);
    // Order matters only when something has to go, and then an approximate one does.
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
