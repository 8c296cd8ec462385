import { withOwnId } from './shared-id.js';
import type { StoredSpan } from './stored-span.js';

/** From this many spans on, an index by id pays; below, searching the list is faster and smaller. */
const INDEX_FROM = 16;

/** The spans of one trace, in order of arrival; bounded by dropping the oldest. */
export class StoredTrace {
  readonly spans: StoredSpan[] = [];
  /** Tags of this trace in the index: keys and values alternate. */
  indexedTags: string[] = [];
  /** Spans that had to go. */
  dropped = 0;
  lastSeen: number;
  /** Counts changes, so that derived values can be cached until the next one. */
  version = 0;
  #next = 0;
  #byId: Map<string, StoredSpan> | undefined;
  #orphans: Map<string, StoredSpan[]> | undefined;

  constructor(
    readonly traceId: string,
    readonly firstSeen: number,
  ) {
    this.lastSeen = firstSeen;
  }

  /** The span with an id. */
  find(spanId: string): StoredSpan | undefined {
    if (this.#byId) return this.#byId.get(spanId);
    for (const span of this.spans) if (span.spanId === spanId) return span;
    return undefined;
  }

  /** Whether a span is below another one, directly or through others that are there. */
  isBelow(spanId: string, ancestorId: string): boolean {
    let at = this.find(spanId)?.parentId;
    // Ids come from outside and may form a cycle.
    for (let steps = 0; at !== undefined && steps < this.spans.length; steps++) {
      if (at === ancestorId) return true;
      at = this.find(at)?.parentId;
    }
    return false;
  }

  /**
   * Adds a span that is not there yet.
   * @returns the span that was evicted for it
   */
  add(span: StoredSpan, limit: number): StoredSpan | undefined {
    this.version++;
    const evicted = this.spans.length >= limit ? this.spans[this.#next] : undefined;
    if (evicted) this.#forget(evicted);
    if (evicted) this.spans[this.#next] = span;
    else this.spans.push(span);
    if (evicted) this.#next = (this.#next + 1) % limit;
    this.#index(span);
    return evicted;
  }

  /**
   * Gives a request that shares the id of its call its own, below the call.
   * @returns it, unless a span above it is known
   */
  moveBelowCall(request: StoredSpan): StoredSpan | undefined {
    const isAlone = request.parentId === undefined || request.awaitsParent;
    this.#stopWaiting(request);
    const moved = withOwnId(request);
    this.spans[this.spans.indexOf(request)] = moved;
    this.#byId?.delete(request.spanId);
    this.#byId?.set(moved.spanId, moved);
    return isAlone ? moved : undefined;
  }

  /** Remembers that a span arrived before its parent. */
  awaitParent(span: StoredSpan): void {
    span.awaitsParent = true;
    this.#orphans ??= new Map();
    const siblings = this.#orphans.get(span.parentId as string);
    if (siblings) siblings.push(span);
    else this.#orphans.set(span.parentId as string, [span]);
  }

  /** The spans that waited for this one; each is returned once. */
  childrenAwaiting(spanId: string): readonly StoredSpan[] {
    const waiting = this.#orphans?.get(spanId);
    if (waiting === undefined) return NONE;
    this.#orphans?.delete(spanId);
    for (const span of waiting) span.awaitsParent = false;
    return waiting;
  }

  #index(span: StoredSpan): void {
    if (this.#byId) this.#byId.set(span.spanId, span);
    else if (this.spans.length > INDEX_FROM) this.#byId = new Map(this.spans.map((each) => [each.spanId, each]));
  }

  #forget(span: StoredSpan): void {
    this.dropped++;
    this.#byId?.delete(span.spanId);
    this.#stopWaiting(span);
  }

  #stopWaiting(span: StoredSpan): void {
    if (!span.awaitsParent) return;
    span.awaitsParent = false;
    const siblings = this.#orphans?.get(span.parentId as string) ?? [];
    const others = siblings.filter((each) => each !== span);
    if (others.length > 0) this.#orphans?.set(span.parentId as string, others);
    else this.#orphans?.delete(span.parentId as string);
  }
}

const NONE: readonly StoredSpan[] = [];
