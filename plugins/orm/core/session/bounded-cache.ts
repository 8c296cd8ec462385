import type { CacheStats } from '../plan/plan-cache.js';

interface Entry<Value> {
  readonly value: Value;
  used: number;
}

/** A map of at most `capacity` entries; full, it gives up the least recently used eighth, so that a hit costs one number. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #tick = 0;
  #hits = 0;
  #misses = 0;
  #evicted = 0;

  constructor(
    private capacity: number,
    private readonly onEvict: (value: Value) => void = () => undefined,
  ) {}

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#misses++;
      return undefined;
    }
    entry.used = ++this.#tick;
    this.#hits++;
    return entry.value;
  }

  set(key: string, value: Value): Value {
    if (this.#entries.size >= this.capacity) this.#evict();
    this.#entries.set(key, { value, used: ++this.#tick });
    return value;
  }

  /** Changes the capacity; excess entries are evicted at once. */
  resize(capacity: number): void {
    this.capacity = capacity;
    while (this.#entries.size > capacity) this.#evict();
  }

  /** Drops every entry without cleanup, because their resources are gone. */
  forget(): void {
    this.#entries.clear();
  }

  /** Evicts every entry with its cleanup. */
  clear(): void {
    for (const { value } of this.#entries.values()) this.onEvict(value);
    this.#entries.clear();
  }

  stats(): CacheStats {
    const { capacity } = this;
    return { size: this.#entries.size, capacity, hits: this.#hits, misses: this.#misses, evicted: this.#evicted };
  }

  #evict(): void {
    const byUse = [...this.#entries].sort(([, a], [, b]) => a.used - b.used);
    for (const [key, { value }] of byUse.slice(0, Math.max(1, Math.floor(this.capacity / 8)))) {
      this.#entries.delete(key);
      this.#evicted++;
      this.onEvict(value);
    }
  }
}
