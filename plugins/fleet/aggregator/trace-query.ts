import type { TraceSummary } from '../../../kernel/contracts/fleet-wire.js';
import type { StoredTrace } from './stored-trace.js';
import { byPosition, type TracePosition } from './trace-list.js';
import type { TraceStore } from './trace-store.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Which traces to list. */
export interface TraceQuery {
  /** Traces that involve a service. */
  readonly service?: string;
  /** Status of the entry, or `error` (or `5xx`) for traces with a failed span. */
  readonly status?: number | 'error';
  readonly minDurationMs?: number;
  /** Number of distinct services. */
  readonly minServices?: number;
  readonly tag?: { readonly key: string; readonly value: string };
  /** 1 to 500; anything else means 100. */
  readonly limit?: number;
  /** Where the last page ended. */
  readonly after?: TracePosition;
}

/** One page of the list, and where the next one begins. */
export interface FoundTraces {
  readonly traces: readonly TraceSummary[];
  readonly has_more: boolean;
  readonly next?: TracePosition;
}

/** The newest traces that a query fits. */
export function findTraces(store: TraceStore, query: TraceQuery): FoundTraces {
  const limit = limitOf(query.limit);
  const traces: TraceSummary[] = [];
  for (const summary of candidates(store, query)) {
    if (!matches(summary, query)) continue;
    const last = traces.at(-1);
    if (last !== undefined && traces.length === limit)
      return { traces, has_more: true, next: { start: last.start_ns, id: last.trace_id } };
    traces.push(summary);
  }
  return { traces, has_more: false };
}

/** Summaries of the traces that may fit, the newest first. */
function* candidates(store: TraceStore, { tag, after }: TraceQuery): Generator<TraceSummary> {
  const few = tag && store.withTag(tag.key, tag.value);
  if (few) {
    const places = few.map((trace) => store.list.place(trace)).sort((a, b) => byPosition(b, a));
    for (const place of places) if (after === undefined || byPosition(place, after) < 0) yield place.summary;
    return;
  }
  for (const { trace, summary } of store.list.newest(after)) if (tag === undefined || hasTag(trace, tag)) yield summary;
}

function hasTag({ spans }: StoredTrace, { key, value }: NonNullable<TraceQuery['tag']>): boolean {
  return spans.some(({ tags }) => {
    for (let at = 0; at < tags.length; at += 2) if (tags[at] === key && tags[at + 1] === value) return true;
    return false;
  });
}

function matches(summary: TraceSummary, { service, status, minDurationMs, minServices }: TraceQuery): boolean {
  if (service !== undefined && !summary.services.includes(service)) return false;
  if (status === 'error' ? !summary.has_error : status !== undefined && summary.status !== status) return false;
  if (minDurationMs !== undefined && summary.duration_ms < minDurationMs) return false;
  return minServices === undefined || summary.services.length >= minServices;
}

function limitOf(limit: number | undefined): number {
  return limit !== undefined && limit >= 1 && limit <= MAX_LIMIT ? Math.floor(limit) : DEFAULT_LIMIT;
}
