import type { TraceSummary } from '../../../kernel/contracts/fleet-wire.js';
import { byText } from '../../../kernel/values/index.js';
import { extentOf, servicesOf } from './assemble-trace.js';
import { hasFailed } from './root-cause/index.js';
import { buildTree, byStart } from './span-tree.js';
import type { StoredSpan } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';

/** Place of a trace in the list: newest first, then by id. */
export interface TracePosition {
  readonly start: string;
  readonly id: string;
}

interface ListedTrace extends TracePosition {
  /** Undefined once the trace is gone, or stands at another place. */
  trace: StoredTrace | undefined;
  summary: TraceSummary;
}

/**
 * The kept traces by their start, with their summaries. Only what came since the last reading is put in order then, so that a page costs
 * no more with many traces than with few.
 */
export class TraceList {
  // The oldest first; traces that are gone leave their place empty until half of the places are.
  #places: ListedTrace[] = [];
  #empty = 0;
  readonly #current = new WeakMap<StoredTrace, ListedTrace>();
  readonly #changed = new Set<StoredTrace>();

  /** Traces that the next reading has to put in order. */
  get changed(): number {
    return this.#changed.size;
  }

  /** A span was added to a trace, which may be new. */
  change(trace: StoredTrace): void {
    this.#changed.add(trace);
  }

  remove(trace: StoredTrace): void {
    this.#changed.delete(trace);
    this.#clear(this.#current.get(trace));
    if (this.#empty * 2 <= this.#places.length) return;
    this.#places = this.#places.filter((place) => place.trace !== undefined);
    this.#empty = 0;
  }

  /** Place and summary of a trace that is kept. */
  place(trace: StoredTrace): TracePosition & { readonly summary: TraceSummary } {
    this.#arrange();
    return this.#current.get(trace) as ListedTrace;
  }

  /**
   * The traces, the newest first.
   * @param before - where the last page ended
   */
  *newest(before?: TracePosition): Generator<{ readonly trace: StoredTrace; readonly summary: TraceSummary }> {
    this.#arrange();
    for (let at = before === undefined ? this.#places.length : this.#firstAfter(before, true); at > 0; at--) {
      const { trace, summary } = this.#places[at - 1] as ListedTrace;
      if (trace !== undefined) yield { trace, summary };
    }
  }

  #arrange(): void {
    if (this.#changed.size === 0) return;
    const moved: ListedTrace[] = [];
    for (const trace of this.#changed) {
      const summary = summarize(trace);
      const place = this.#current.get(trace);
      if (place?.start === summary.start_ns) {
        place.summary = summary;
        continue;
      }
      this.#clear(place);
      const made = { start: summary.start_ns, id: trace.traceId, trace, summary };
      this.#current.set(trace, made);
      moved.push(made);
    }
    this.#changed.clear();
    if (moved.length > 0) this.#merge(moved.sort(byPosition));
  }

  // Most are newer than all others, so that only the end of the list is written.
  #merge(moved: readonly ListedTrace[]): void {
    const tail = this.#places.splice(this.#firstAfter(moved[0] as ListedTrace));
    let next = 0;
    for (const place of tail) {
      while (next < moved.length && byPosition(moved[next] as ListedTrace, place) < 0)
        this.#places.push(moved[next++] as ListedTrace);
      this.#places.push(place);
    }
    for (; next < moved.length; next++) this.#places.push(moved[next] as ListedTrace);
  }

  /** By halving: the first place after a position, or with `itself` at it. */
  #firstAfter(position: TracePosition, itself = false): number {
    let [from, to] = [0, this.#places.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = byPosition(this.#places[middle] as ListedTrace, position);
      if (order < 0 || (order === 0 && !itself)) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #clear(place: ListedTrace | undefined): void {
    if (place?.trace === undefined) return;
    place.trace = undefined;
    this.#empty++;
  }
}

/** Decimal texts without leading zeros: the longer one is the larger one. */
export function byPosition(a: TracePosition, b: TracePosition): number {
  return a.start.length - b.start.length || byText(a.start, b.start) || byText(a.id, b.id);
}

function summarize({ traceId, spans }: StoredTrace): TraceSummary {
  const entry = entryOf(spans);
  return {
    trace_id: traceId,
    services: servicesOf(spans),
    root_service: entry.service,
    route: entry.route,
    method: entry.method,
    status: entry.status,
    ...extentOf(spans),
    span_count: spans.length,
    has_error: hasFailed(spans, () => buildTree(spans)),
  };
}

// The earliest span without a parent; if all have unknown parents, the earliest span.
function entryOf(spans: readonly StoredSpan[]): StoredSpan {
  const roots = spans.filter(({ parentId }) => parentId === undefined);
  return (roots.length > 0 ? roots : spans).reduce((early, span) => (byStart(early, span) <= 0 ? early : span));
}
