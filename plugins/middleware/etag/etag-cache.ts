import { HitCounter, ok, type ProbeReport } from '../../../kernel/index.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { boundedKey, type ProbedMiddleware } from '../../http/index.js';
import { handleETags } from './handle-etags.js';

/** Options of {@link newETagCache}. */
export interface ETagCacheOptions {
  /**
   * Most entries that are kept; the oldest makes room. Default unbounded (SPEC "Limits"): do not use that for endpoints with an unbounded
   * number of URLs.
   */
  readonly maxEntries?: number;
}

/** Remembers the ETag of each URL, query string and content encoding included. */
export class ETagCache {
  readonly #entries: BoundedMap<string, string>;
  /** Outcomes; counted after `enableCounters()`. */
  readonly counter = new HitCounter({ hit: 'not_modified_304', miss: 'full_body' });

  constructor({ maxEntries = Infinity }: ETagCacheOptions = {}) {
    this.#entries = new BoundedMap(maxEntries);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The ETag that was last sent for a key, or its digest when it is long. @param key - from `keyOfTarget` */
  get(key: string): string | undefined {
    return this.#entries.get(key);
  }

  /** Keeps an ETag; called on every response. */
  set(key: string, etag: string): void {
    // Bounded, because a handler may set an ETag of any length.
    this.#entries.set(key, boundedKey(etag));
  }

  /** The middleware of this cache. */
  etagMiddleware(): ProbedMiddleware {
    return handleETags(this);
  }

  /** What the `etag` subsystem reports. */
  report(): ProbeReport {
    const { capacity, evicted } = this.#entries;
    const bounded = capacity !== Infinity;
    const detail = {
      stored_entries: this.size,
      ...(bounded && { max_entries: capacity, evicted_entries: evicted }),
    };
    const notes = bounded ? [] : ['The store is unbounded: set maxEntries where URLs are unboundedly many.'];
    return ok(`${this.size} ETags stored.`, this.counter.facts(detail, notes));
  }
}

/** A cache of ETags (SPEC "Middleware chain", 8). */
export function newETagCache(options?: ETagCacheOptions): ETagCache {
  return new ETagCache(options);
}
