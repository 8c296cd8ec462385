import { type Static, Type } from 'typebox';

// Answers of the aggregator's read API, as far as the tools use them. Times in nanoseconds are decimal strings; older aggregators sent
// numbers.
const Nanoseconds = Type.Union([Type.String(), Type.Number()]);

// An aggregator written in another language may send null for an empty list.
const orNull = <Schema extends Type.TSchema>(items: Schema) => Type.Union([Type.Array(items), Type.Null()]);

export const Node = Type.Object({
  service: Type.String(),
  calls: Type.Number(),
  errors: Type.Number(),
  error_rate: Type.Number(),
  p99_ms: Type.Number(),
  entry: Type.Optional(Type.Boolean()),
  last_seen_unix: Type.Number(),
});
export const Edge = Type.Object({
  caller: Type.String(),
  callee: Type.String(),
  calls: Type.Number(),
  errors: Type.Number(),
  error_rate: Type.Number(),
  p50_ms: Type.Number(),
  p95_ms: Type.Number(),
  p99_ms: Type.Number(),
  avg_ms: Type.Number(),
  last_seen_unix: Type.Number(),
});
export const Topology = Type.Object({ nodes: orNull(Node), edges: orNull(Edge) });

export const TraceSummary = Type.Object({
  trace_id: Type.String(),
  services: Type.Array(Type.String()),
  root_service: Type.String(),
  route: Type.String(),
  method: Type.String(),
  status: Type.Number(),
  start_ns: Nanoseconds,
  duration_ms: Type.Number(),
  span_count: Type.Number(),
  has_error: Type.Boolean(),
  skew_flagged: Type.Optional(Type.Boolean()),
});
const TracePage = Type.Object({
  traces: orNull(TraceSummary),
  next_cursor: Type.Optional(Type.String()),
  has_more: Type.Optional(Type.Boolean()),
});
export const TraceList = Type.Union([orNull(TraceSummary), TracePage]);

/** A span with its children. Nothing of it is sure: schemas of trees cost too much, so its reader checks each member. */
export type SpanNode = Readonly<Record<string, unknown>>;

export const Trace = Type.Object({
  trace_id: Type.String(),
  roots: Type.Array(Type.Unsafe<SpanNode>({ type: 'object', required: ['span_id', 'service'] })),
  services: Type.Array(Type.String()),
  span_count: Type.Number(),
  duration_ms: Type.Number(),
  status: Type.Number(),
  has_error: Type.Boolean(),
  skew_flagged: Type.Optional(Type.Boolean()),
  orphan_count: Type.Optional(Type.Number()),
  spans_dropped: Type.Optional(Type.Number()),
  root_cause_span_id: Type.Optional(Type.String()),
  summary: Type.Optional(Type.String()),
});
export type Trace = Static<typeof Trace>;

export const Violation = Type.Object({
  trace_id: Type.String(),
  span_id: Type.String(),
  caller: Type.String(),
  callee: Type.String(),
  route: Type.String(),
  direction: Type.String(),
  path: Type.String(),
  rule: Type.String(),
  expected: Type.String(),
  observed: Type.String(),
  severity: Type.String(),
  // Missing in answers of older aggregators.
  origin: Type.Optional(Type.String()),
  timestamp: Nanoseconds,
  count: Type.Number(),
  first_seen: Nanoseconds,
  last_seen: Nanoseconds,
});
export type Violation = Static<typeof Violation>;
export const Violations = orNull(Violation);

/** A body that the aggregator could not check, and the reason. */
export const NotChecked = Type.Object({
  service: Type.String(),
  method: Type.String(),
  route: Type.String(),
  direction: Type.String(),
  reason: Type.String(),
  count: Type.Number(),
  last_seen: Nanoseconds,
});
export type NotChecked = Static<typeof NotChecked>;
// Missing in answers of older aggregators.
export const Stats = Type.Object({
  contracts: Type.Optional(Type.Object({ not_checked: Type.Optional(orNull(NotChecked)) })),
});

export const Incident = Type.Object({
  service: Type.String(),
  error_rate: Type.Number(),
  calls: Type.Number(),
  affected: orNull(
    Type.Object({
      service: Type.String(),
      hops: Type.Number(),
      dependency_error_rate: Type.Number(),
      attributed_share: Type.Number(),
      via: Type.Optional(Type.String()),
    }),
  ),
  banner: Type.String(),
  computed_unix: Type.Number(),
  // Missing in answers of older aggregators.
  cause: Type.Optional(
    Type.Object({
      name: Type.String(),
      service: Type.String(),
      method: Type.String(),
      route: Type.String(),
      status: Type.Number(),
      reason: Type.String(),
      confidence: Type.String(),
      trace_id: Type.String(),
    }),
  ),
  consequences: Type.Optional(Type.Array(Type.Object({ service: Type.String() }))),
});
export type Incident = Static<typeof Incident>;
export const Incidents = orNull(Incident);
