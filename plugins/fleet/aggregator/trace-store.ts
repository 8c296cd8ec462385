import type { StoreStats } from '../../../kernel/contracts/fleet-wire.js';
import type { AggregatorSettings } from './options.js';
import { StoredTrace } from './stored-trace.js';
import type { StoredSpan } from './stored-span.js';
import { shareId, withOwnId } from './shared-id.js';
import { RecentFailures } from './recent-failures.js';
import { TagIndex } from './tag-index.js';
import { TraceList } from './trace-list.js';

type Limits = Pick<
  AggregatorSettings,
  'maxTraces' | 'maxSpansPerTrace' | 'maxSpans' | 'maxPayloadBytes' | 'maxTags' | 'maxServices' | 'traceTTL'
>;

/** Result of adding a span. */
interface Added {
  readonly trace: StoredTrace;
  /** The span as it was kept; undefined for one that was there already. */
  readonly span: StoredSpan | undefined;
  /** A request that was there before its call, and that nobody is known to have made. */
  readonly request?: StoredSpan | undefined;
}

/** Keeps traces in memory, with bounds; the one first seen is evicted first. */
export class TraceStore {
  // In the order in which traces were first seen (a Map keeps insertion order).
  readonly #traces = new Map<string, StoredTrace>();
  readonly #tags: TagIndex;
  /** The traces by their start. */
  readonly list = new TraceList();
  /** The newest traces in which a service failed. */
  readonly failures: RecentFailures;
  #spans = 0;
  #payloadBytes = 0;
  #accepted = 0;
  #duplicates = 0;
  #dropped = 0;
  #rejected = 0;
  #evicted = 0;
  #expired = 0;
  #payloadsDropped = 0;

  constructor(private readonly limits: Limits) {
    this.#tags = new TagIndex(limits.maxTags);
    this.failures = new RecentFailures(limits.maxServices);
  }

  /** Counts spans that were refused before they came here. */
  reject(count: number): void {
    this.#rejected += count;
  }

  /** Adds a span; an existing one is not changed. */
  add(traceId: string, span: StoredSpan, now: number): Added {
    const trace = this.#traces.get(traceId) ?? this.#open(traceId, now);
    trace.lastSeen = now;
    const known = trace.find(span.spanId);
    const request = known && shareId(known, span) ? trace.moveBelowCall(known) : undefined;
    const kept = known && shareId(span, known) ? withOwnId(span) : span;
    if (trace.find(kept.spanId) !== undefined) {
      this.#duplicates++;
      return { trace, span: undefined };
    }
    this.#keep(trace, kept);
    this.#makeRoom();
    return { trace, span: kept, request };
  }

  get(traceId: string): StoredTrace | undefined {
    return this.#traces.get(traceId);
  }

  /** Every trace, the one first seen first. */
  traces(): IterableIterator<StoredTrace> {
    return this.#traces.values();
  }

  /** The traces with a tag, where they are few and all of them are indexed; else undefined. */
  withTag(key: string, value: string): readonly StoredTrace[] | undefined {
    return this.#tags.find(key, value);
  }

  /** Forgets traces that were idle longer than `traceTTL`. */
  sweep(now: number): void {
    for (const trace of this.#traces.values()) {
      // Seen in the future: before the clock was set back. Its time begins anew.
      trace.lastSeen = Math.min(trace.lastSeen, now);
      if (now - trace.lastSeen <= this.limits.traceTTL) continue;
      this.#remove(trace);
      this.#expired++;
    }
  }

  stats(): StoreStats {
    const { maxTraces, maxSpans, maxSpansPerTrace, maxPayloadBytes, maxTags } = this.limits;
    return {
      traces: this.#traces.size,
      max_traces: maxTraces,
      spans: this.#spans,
      max_spans: maxSpans,
      max_spans_per_trace: maxSpansPerTrace,
      payload_bytes: this.#payloadBytes,
      max_payload_bytes: maxPayloadBytes,
      tag_entries: this.#tags.size,
      max_tags: maxTags,
      spans_accepted: this.#accepted,
      spans_duplicate: this.#duplicates,
      spans_dropped: this.#dropped,
      spans_rejected: this.#rejected,
      traces_evicted: this.#evicted,
      traces_expired: this.#expired,
      payloads_dropped: this.#payloadsDropped,
      tags_unindexed: this.#tags.unindexed,
    };
  }

  #open(traceId: string, now: number): StoredTrace {
    const trace = new StoredTrace(traceId, now);
    this.#traces.set(traceId, trace);
    return trace;
  }

  #keep(trace: StoredTrace, span: StoredSpan): void {
    this.#accepted++;
    this.#spans++;
    const evicted = trace.add(span, Math.min(this.limits.maxSpansPerTrace, this.limits.maxSpans));
    if (evicted) {
      this.#dropped++;
      this.#release(evicted);
      this.failures.lost(trace, evicted);
    }
    this.list.change(trace);
    this.failures.note(trace, span);
    if (span.payload) this.#keepPayload(span);
    for (let at = 0; at < span.tags.length; at += 2) {
      this.#tags.add(span.tags[at] as string, span.tags[at + 1] as string, trace);
    }
  }

  #keepPayload(span: StoredSpan): void {
    const bytes = span.payload?.bytes ?? 0;
    if (this.#payloadBytes + bytes <= this.limits.maxPayloadBytes) {
      this.#payloadBytes += bytes;
      return;
    }
    this.#payloadsDropped++;
    span.payload = undefined;
  }

  #makeRoom(): void {
    const { maxTraces, maxSpans } = this.limits;
    while (this.#traces.size > maxTraces || this.#spans > maxSpans) {
      this.#evicted++;
      this.#remove(this.#traces.values().next().value as StoredTrace);
    }
  }

  #remove(trace: StoredTrace): void {
    this.#traces.delete(trace.traceId);
    this.#tags.remove(trace);
    this.list.remove(trace);
    this.failures.remove(trace);
    for (const span of trace.spans) this.#release(span);
  }

  #release(span: StoredSpan): void {
    this.#spans--;
    this.#payloadBytes -= span.payload?.bytes ?? 0;
  }
}
