import type { TraceSummary } from '../../../kernel/contracts/fleet-wire.js';
import { extentOf, servicesOf } from './assemble-trace.js';
import { byStart } from './span-tree.js';
import type { StoredSpan } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';
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

/** Place of a trace in the list: newest first, then by id. */
export interface TracePosition {
  readonly start: string;
  readonly id: string;
}

/** One page of the list, and where the next one begins. */
export interface FoundTraces {
  readonly traces: readonly TraceSummary[];
  readonly has_more: boolean;
  readonly next?: TracePosition;
}

/** The newest traces that a query fits. */
export function findTraces(store: TraceStore, query: TraceQuery): FoundTraces {
  const candidates = query.tag ? store.withTag(query.tag.key, query.tag.value) : store.traces();
  const limit = limitOf(query.limit);
  const found: TraceSummary[] = [];
  for (const trace of candidates) {
    const summary = summarize(trace);
    if (matches(summary, trace, query)) found.push(summary);
  }
  found.sort(newestFirst);
  const traces = found.slice(0, limit);
  const last = traces.at(-1);
  const hasMore = found.length > limit;
  return { traces, has_more: hasMore, ...(hasMore && last && { next: { start: last.start_ns, id: last.trace_id } }) };
}

const summaries = new WeakMap<StoredTrace, { readonly version: number; readonly summary: TraceSummary }>();

// Cached until the trace changes: the list is read every second or two, and most traces are unchanged.
function summarize(trace: StoredTrace): TraceSummary {
  const known = summaries.get(trace);
  if (known?.version === trace.version) return known.summary;
  const summary = summaryOf(trace);
  summaries.set(trace, { version: trace.version, summary });
  return summary;
}

function summaryOf({ traceId, spans }: StoredTrace): TraceSummary {
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
    has_error: spans.some((span) => span.failed),
  };
}

// The earliest span without a parent; if all have unknown parents, the earliest span.
function entryOf(spans: readonly StoredSpan[]): StoredSpan {
  const roots = spans.filter(({ parentId }) => parentId === undefined);
  return (roots.length > 0 ? roots : spans).reduce((early, span) => (byStart(early, span) <= 0 ? early : span));
}

function matches(summary: TraceSummary, { spans }: StoredTrace, query: TraceQuery): boolean {
  const { service, status, minDurationMs, minServices, after } = query;
  if (service !== undefined && !spans.some((span) => span.service === service)) return false;
  if (status === 'error' ? !summary.has_error : status !== undefined && summary.status !== status) return false;
  if (minDurationMs !== undefined && summary.duration_ms < minDurationMs) return false;
  if (minServices !== undefined && summary.services.length < minServices) return false;
  return after === undefined || compare(summary.start_ns, summary.trace_id, after.start, after.id) < 0;
}

function newestFirst(a: TraceSummary, b: TraceSummary): number {
  return compare(b.start_ns, b.trace_id, a.start_ns, a.trace_id);
}

// Decimal texts without leading zeros: the longer one is the larger one.
function compare(startA: string, idA: string, startB: string, idB: string): number {
  if (startA.length !== startB.length) return startA.length - startB.length;
  if (startA !== startB) return startA < startB ? -1 : 1;
  return idA < idB ? -1 : idA > idB ? 1 : 0;
}

function limitOf(limit: number | undefined): number {
  return limit !== undefined && limit >= 1 && limit <= MAX_LIMIT ? Math.floor(limit) : DEFAULT_LIMIT;
}
