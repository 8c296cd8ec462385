import type { StoredTrace } from './stored-trace.js';

/** Traces of one tag up to which they are put in order by themselves. */
const FEW = 1000;

type Entry = StoredTrace | Set<StoredTrace>;

/**
 * Finds traces by key and value. Most values (an order's number) belong to one trace, which is stored directly; the second one makes a set.
 * Bounded by the number of pairs of tag and trace.
 */
export class TagIndex {
  // By key, then by value: a combined key would need a new string for every lookup.
  readonly #keys = new Map<string, Map<string, Entry>>();
  #size = 0;
  #unindexed = 0;

  constructor(private readonly limit: number) {}

  /** Pairs of tag and trace. */
  get size(): number {
    return this.#size;
  }

  /** Tags that were not indexed because the index was full. While there are any, a search reads the traces themselves. */
  get unindexed(): number {
    return this.#unindexed;
  }

  add(key: string, value: string, trace: StoredTrace): void {
    const values = this.#keys.get(key);
    const entry = values?.get(value);
    if (entry === trace || (entry instanceof Set && entry.has(trace))) return;
    if (this.#size >= this.limit) {
      this.#unindexed++;
      return;
    }
    this.#size++;
    trace.indexedTags.push(key, value);
    if (values === undefined) this.#keys.set(key, new Map([[value, trace]]));
    else if (entry === undefined) values.set(value, trace);
    else if (entry instanceof Set) entry.add(trace);
    else values.set(value, new Set([entry, trace]));
  }

  /** Removes a trace that is gone. */
  remove(trace: StoredTrace): void {
    const { indexedTags } = trace;
    this.#size -= indexedTags.length / 2;
    for (let at = 0; at < indexedTags.length; at += 2) {
      this.#removeOne(indexedTags[at] as string, indexedTags[at + 1] as string, trace);
    }
    trace.indexedTags = [];
    // An empty index has no unindexed tags.
    if (this.#size === 0) this.#unindexed = 0;
  }

  /** The traces with a tag; undefined where they are many, or some were not indexed: then the newest are found sooner by looking. */
  find(key: string, value: string): readonly StoredTrace[] | undefined {
    if (this.#unindexed > 0) return undefined;
    const entry = this.#keys.get(key)?.get(value);
    if (entry === undefined) return [];
    if (!(entry instanceof Set)) return [entry];
    return entry.size > FEW ? undefined : [...entry];
  }

  #removeOne(key: string, value: string, trace: StoredTrace): void {
    const values = this.#keys.get(key) as Map<string, Entry>;
    const entry = values.get(value);
    if (entry instanceof Set && entry.size > 1) entry.delete(trace);
    else values.delete(value);
    if (values.size === 0) this.#keys.delete(key);
  }
}
