import type { TracePage, TraceSummary } from '../../../../wire/fleet.js';
import { nanoseconds } from './nanoseconds.js';

/** The list as far as it is loaded: newest first. */
export interface TraceList {
  readonly traces: readonly TraceSummary[];
  /** Where the next page begins; undefined at the end. */
  readonly cursor: string | undefined;
}

export const NO_TRACES: TraceList = { traces: [], cursor: undefined };

/**
 * Brings the newest page into the list. Below the page stay the traces that were loaded before; what lies within its reach but
 * is not on it is gone, or does not fit the filter any more.
 *
 * @param limit - traces that the aggregator keeps: there cannot be more
 */
export function withNewest(list: TraceList, page: TracePage, limit: number): TraceList {
  const last = page.traces.at(-1);
  if (last === undefined || !page.has_more) return { traces: page.traces, cursor: undefined };
  const below = list.traces.filter((trace) => comesAfter(trace, last));
  const traces = [...page.traces, ...below].slice(0, Math.max(limit, page.traces.length));
  return { traces, cursor: below.length > 0 ? list.cursor : page.next_cursor };
}

/** Adds the next page at the end. */
export function withNext(list: TraceList, page: TracePage): TraceList {
  const last = list.traces.at(-1);
  const fresh = last === undefined ? page.traces : page.traces.filter((trace) => comesAfter(trace, last));
  return { traces: [...list.traces, ...fresh], cursor: page.has_more ? page.next_cursor : undefined };
}

/** Whether a trace stands below another one: older, or equally old with a smaller id. */
function comesAfter(trace: TraceSummary, other: TraceSummary): boolean {
  const age = nanoseconds(trace.start_ns) - nanoseconds(other.start_ns);
  return age < 0n || (age === 0n && trace.trace_id < other.trace_id);
}

/** How many rows came in above the first one that was there: the list scrolls by them, so that nothing moves under the eye. */
export function addedAbove(before: readonly TraceSummary[], after: readonly TraceSummary[]): number {
  const places = new Map(after.map(({ trace_id: id }, at) => [id, at]));
  for (const [at, { trace_id: id }] of before.entries()) {
    const now = places.get(id);
    if (now !== undefined) return now - at;
  }
  return 0;
}

/** Rows that have to be in the document. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

/** Rows around the part of a list that is seen, all of one height in pixels. @returns `last` is behind the last row */
export function windowOf(count: number, rowHeight: number, scrollTop: number, height: number): Window {
  const MARGIN_ROWS = 8;
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - MARGIN_ROWS);
  const last = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + MARGIN_ROWS);
  return { first: Math.min(first, last), last };
}
