import type { SpanRecord } from '../contracts/fleet-wire.js';

/** Trace id number n. */
export const traceId = (n: number): string => n.toString(16).padStart(32, '0').replace(/^0/, 'a');
/** Span id number n. */
export const spanId = (n: number): string => n.toString(16).padStart(16, '0').replace(/^0/, 'b');

/** What a test says about a span; times in milliseconds after {@link EPOCH_MS}. */
export interface SpanSketch extends Partial<Omit<SpanRecord, 'trace_id' | 'span_id' | 'parent_span_id' | 'start_ns'>> {
  readonly trace?: number;
  readonly id: number;
  readonly parent?: number;
  readonly start?: number;
}

/** When the spans of tests begin. */
export const EPOCH_MS = 1_750_000_000_000;

/** A span as a service would send it. */
export function span({ trace = 1, id, parent, start = 0, ...rest }: SpanSketch): SpanRecord {
  const whole = Math.floor(start);
  const nanoseconds = String(Math.round((start - whole) * 1e6)).padStart(6, '0');
  return {
    trace_id: traceId(trace),
    span_id: spanId(id),
    ...(parent !== undefined && { parent_span_id: spanId(parent) }),
    service: `service-${id}`,
    route: '/',
    method: 'GET',
    status: 200,
    start_ns: `${EPOCH_MS + whole}${nanoseconds}`,
    duration_ms: 10,
    ...rest,
  };
}
