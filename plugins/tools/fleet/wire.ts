import { type Static, Type } from 'typebox';
import { Numeric, optional, Text, Texts, YesNo } from '../../../kernel/schema/index.js';

// Answers of the aggregator's read API, as far as the tools use them. Times in nanoseconds are decimal strings; older aggregators sent
// numbers.
const Nanoseconds = Type.Union([Text, Numeric]);

// An aggregator written in another language may send null for an empty list.
const orNull = <Schema extends Type.TSchema>(items: Schema) => Type.Union([Type.Array(items), Type.Null()]);

export const Node = Type.Object({
  service: Text,
  calls: Numeric,
  errors: Numeric,
  error_rate: Numeric,
  p99_ms: Numeric,
  entry: optional(YesNo),
  last_seen_unix: Numeric,
});
export const Edge = Type.Object({
  caller: Text,
  callee: Text,
  calls: Numeric,
  errors: Numeric,
  error_rate: Numeric,
  p50_ms: Numeric,
  p95_ms: Numeric,
  p99_ms: Numeric,
  avg_ms: Numeric,
  last_seen_unix: Numeric,
});
export const Topology = Type.Object({ nodes: orNull(Node), edges: orNull(Edge) });

export const TraceSummary = Type.Object({
  trace_id: Text,
  services: Texts,
  root_service: Text,
  route: Text,
  method: Text,
  status: Numeric,
  start_ns: Nanoseconds,
  duration_ms: Numeric,
  span_count: Numeric,
  has_error: YesNo,
  skew_flagged: optional(YesNo),
});
const TracePage = Type.Object({
  traces: orNull(TraceSummary),
  next_cursor: optional(Text),
  has_more: optional(YesNo),
});
export const TraceList = Type.Union([orNull(TraceSummary), TracePage]);

/** A span with its children. Nothing of it is sure: schemas of trees cost too much, so its reader checks each member. */
export type SpanNode = Readonly<Record<string, unknown>>;

export const Trace = Type.Object({
  trace_id: Text,
  roots: Type.Array(Type.Unsafe<SpanNode>({ type: 'object', required: ['span_id', 'service'] })),
  services: Texts,
  span_count: Numeric,
  duration_ms: Numeric,
  status: Numeric,
  has_error: YesNo,
  skew_flagged: optional(YesNo),
  orphan_count: optional(Numeric),
  spans_dropped: optional(Numeric),
  root_cause_span_id: optional(Text),
  summary: optional(Text),
});
export type Trace = Static<typeof Trace>;

export const Violation = Type.Object({
  trace_id: Text,
  span_id: Text,
  caller: Text,
  callee: Text,
  route: Text,
  direction: Text,
  path: Text,
  rule: Text,
  expected: Text,
  observed: Text,
  severity: Text,
  // Missing in answers of older aggregators.
  origin: optional(Text),
  timestamp: Nanoseconds,
  count: Numeric,
  first_seen: Nanoseconds,
  last_seen: Nanoseconds,
});
export type Violation = Static<typeof Violation>;
export const Violations = orNull(Violation);

/** A body that the aggregator could not check, and the reason. */
export const NotChecked = Type.Object({
  service: Text,
  method: Text,
  route: Text,
  direction: Text,
  reason: Text,
  count: Numeric,
  last_seen: Nanoseconds,
});
export type NotChecked = Static<typeof NotChecked>;
// Missing in answers of older aggregators.
export const Stats = Type.Object({
  contracts: optional(Type.Object({ not_checked: optional(orNull(NotChecked)) })),
});

export const Incident = Type.Object({
  service: Text,
  error_rate: Numeric,
  calls: Numeric,
  affected: orNull(
    Type.Object({
      service: Text,
      hops: Numeric,
      dependency_error_rate: Numeric,
      attributed_share: Numeric,
      via: optional(Text),
    }),
  ),
  banner: Text,
  computed_unix: Numeric,
  // Missing in answers of older aggregators.
  cause: optional(
    Type.Object({
      name: Text,
      service: Text,
      method: Text,
      route: Text,
      status: Numeric,
      reason: Text,
      confidence: Text,
      trace_id: Text,
    }),
  ),
  consequences: optional(Type.Array(Type.Object({ service: Text }))),
});
export type Incident = Static<typeof Incident>;
export const Incidents = orNull(Incident);
