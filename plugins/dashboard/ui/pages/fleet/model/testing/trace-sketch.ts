import type { SpanNode, Trace } from '../../../../../wire/fleet.js';

/** What a test says about a span; times in milliseconds after the beginning. */
export interface Sketch extends Partial<Omit<SpanNode, 'children' | 'start_ns'>> {
  readonly id: string;
  readonly start?: number;
  readonly children?: readonly Sketch[];
}

const ORIGIN = 1_750_000_000_000_000_000n;

/** A trace for tests. */
export function traceOf(...roots: readonly Sketch[]): Trace {
  const nodes = roots.map(nodeOf);
  return {
    trace_id: 'a'.repeat(32),
    roots: nodes,
    services: [],
    span_count: 0,
    duration_ms: 0,
    start_ns: String(ORIGIN),
    has_error: false,
    status: nodes[0]?.status ?? 0,
    skew_flagged: false,
    orphan_count: 0,
  };
}

function nodeOf({ id, start = 0, children, ...rest }: Sketch): SpanNode {
  return {
    trace_id: 'a'.repeat(32),
    span_id: id,
    service: id,
    route: '/',
    method: 'GET',
    status: 200,
    start_ns: String(ORIGIN + BigInt(Math.round(start * 1e6))),
    duration_ms: 10,
    ...rest,
    ...(children && { children: children.map(nodeOf) }),
  };
}
