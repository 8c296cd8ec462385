interface Entry<Value> {
  readonly value: Value;
  used: number;
}

/** Numbers of a {@link BoundedMap}. */
export interface BoundedMapStats {
  readonly size: number;
  readonly capacity: number;
  readonly hits: number;
  readonly misses: number;
  /** Entries that went because the map was full. */
  readonly evicted: number;
}

/** How a {@link BoundedMap} evicts. */
export interface BoundedMapOptions<Value> {
  /** Releases what an evicted value holds. */
  readonly onEvict?: (value: Value) => void;
}

/** Share of the entries that goes when a map is full: one pass through the map then makes room for many. */
const EVICTED_SHARE = 1 / 8;

/**
 * A map of at most `capacity` entries. When it is full, the least recently used eighth goes and is counted. A use costs one number, and
 * depends on no clock.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #onEvict: ((value: Value) => void) | undefined;
  #capacity: number;
  #tick = 0;
  #hits = 0;
  #misses = 0;
  #evicted = 0;

  /** @param capacity - at least 1 */
  constructor(capacity: number, { onEvict }: BoundedMapOptions<Value> = {}) {
    this.#capacity = capacity;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Number of entries that went because the map was full. */
  get evicted(): number {
    return this.#evicted;
  }

  /** The value of a key; counts as a use. */
  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#misses++;
      return undefined;
    }
    entry.used = ++this.#tick;
    this.#hits++;
    return entry.value;
  }

  /** The value of a key, made when there is none. */
  use(key: Key, make: () => Value): Value {
    return this.get(key) ?? this.set(key, make());
  }

  /** @returns the value */
  set(key: Key, value: Value): Value {
    if (this.#entries.size >= this.#capacity && !this.#entries.has(key)) this.#evict();
    this.#entries.set(key, { value, used: ++this.#tick });
    return value;
  }

  /** Removes an entry; it does not count as evicted. */
  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Removes the entries for which a test holds; they do not count as evicted. @returns how many */
  removeIf(test: (value: Value) => boolean): number {
    let count = 0;
    for (const [key, { value }] of this.#entries) if (test(value) && this.#entries.delete(key)) count++;
    return count;
  }

  /** Keys and values in the order in which they were first set; no use. */
  *entries(): Generator<[Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  /** Values in the order in which they were first set; no use. */
  values(): Value[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  /** Changes the capacity; excess entries are evicted at once. */
  resize(capacity: number): void {
    this.#capacity = capacity;
    while (this.#entries.size > capacity) this.#evict();
  }

  /** Drops every entry without cleanup, because their resources are gone. */
  forget(): void {
    this.#entries.clear();
  }

  /** Removes every entry with its cleanup. */
  clear(): void {
    if (this.#onEvict) for (const { value } of this.#entries.values()) this.#onEvict(value);
    this.#entries.clear();
  }

  stats(): BoundedMapStats {
    const { size, capacity, evicted } = this;
    return { size, capacity, hits: this.#hits, misses: this.#misses, evicted };
  }

  #evict(): void {
    const byUse = [...this.#entries].sort(([, a], [, b]) => a.used - b.used);
    for (const [key, { value }] of byUse.slice(0, Math.max(1, Math.floor(this.#capacity * EVICTED_SHARE)))) {
      this.#entries.delete(key);
      this.#evicted++;
      this.#onEvict?.(value);
    }
  }
}
