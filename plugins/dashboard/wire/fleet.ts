// What the Fleet page reads, below `{base}/api/fleet`: the aggregator's answers as they are. Types only. Nanoseconds are decimal
// texts, because a JSON number cannot hold them.

/** Whether the dashboard is connected to its aggregator; the first message on the live socket, and whenever it changes. */
export interface AggregatorState {
  readonly type: 'aggregator';
  readonly connected: boolean;
  readonly reason?: string;
}

/** A message of the aggregator as its WebSocket sends it. */
export interface AggregatorMessage {
  readonly type: 'topology_snapshot' | 'trace_event' | 'service_event' | 'contract_violation';
  readonly time: string;
  readonly data: unknown;
}

/** Calls, failures and durations in milliseconds over the retention window. */
export interface Traffic {
  readonly calls: number;
  readonly errors: number;
  /** 0 to 1. */
  readonly error_rate: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly avg_ms: number;
}

/** A service in the graph, with what came in. */
export interface TopologyNode extends Traffic {
  readonly service: string;
  /** It answered a request that no traced service made. */
  readonly entry?: boolean;
  readonly last_seen_unix: number;
}

/** Calls of one service by another. */
export interface TopologyEdge extends Traffic {
  readonly caller: string;
  readonly callee: string;
  readonly last_seen_unix: number;
}

export interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly edges: readonly TopologyEdge[];
}

export type ServiceStatus = 'up' | 'degraded' | 'down';

/** A service as its heartbeats describe it. */
export interface ServiceInfo {
  readonly name: string;
  readonly instances: number;
  readonly versions?: readonly string[];
  readonly rps: number;
  readonly error_rate: number;
  readonly status: ServiceStatus;
  readonly last_heartbeat_unix: number;
  readonly openapi_hash?: string;
  readonly openapi_url?: string;
}

/** A line of the trace list. */
export interface TraceSummary {
  readonly trace_id: string;
  readonly services: readonly string[];
  readonly root_service: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly start_ns: string;
  readonly duration_ms: number;
  readonly span_count: number;
  readonly has_error: boolean;
}

export interface TracePage {
  readonly traces: readonly TraceSummary[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

/** A span in its place in the trace. */
export interface SpanNode {
  readonly trace_id: string;
  readonly span_id: string;
  readonly parent_span_id?: string;
  readonly service: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly start_ns: string | number;
  readonly duration_ms: number;
  readonly error?: string;
  readonly kind?: 'server' | 'query' | 'event' | 'internal';
  readonly tags?: Readonly<Record<string, string>>;
  readonly header_names?: readonly string[];
  readonly timeline?: readonly unknown[];
  readonly children?: readonly SpanNode[];
  readonly orphan?: boolean;
  readonly skewed?: boolean;
  readonly root_cause?: boolean;
  readonly derived_error?: boolean;
  readonly reason?: string;
}

export interface Trace {
  readonly trace_id: string;
  readonly roots: readonly SpanNode[];
  readonly services: readonly string[];
  readonly span_count: number;
  readonly duration_ms: number;
  readonly start_ns: string;
  readonly has_error: boolean;
  readonly status: number;
  readonly skew_flagged: boolean;
  readonly orphan_count: number;
  readonly spans_dropped?: number;
  readonly root_cause_span_id?: string;
  readonly root_cause_reason?: string;
  readonly summary?: string;
}

export interface TraceLog {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly source?: string;
  readonly trace_id?: string;
  readonly service: string;
}

/** The log lines of a trace, from every service that took part, oldest first. */
export interface TraceLogs {
  readonly trace_id: string;
  readonly logs: readonly TraceLog[];
  readonly sources: readonly {
    readonly service: string;
    readonly available: boolean;
    readonly error?: string;
    readonly count: number;
  }[];
  readonly truncated?: boolean;
  /** Why nobody was asked. */
  readonly disabled?: string;
}

/** A service that suffers from a failing one. */
export interface AffectedService {
  readonly service: string;
  readonly hops: number;
  readonly dependency_error_rate: number;
  readonly attributed_share: number;
  readonly via?: string;
}

/** A time during which a service failed. */
export interface Incident {
  readonly id: number;
  readonly state: 'open' | 'resolved';
  readonly service: string;
  readonly error_rate: number;
  readonly peak_error_rate: number;
  readonly calls: number;
  readonly affected: readonly AffectedService[];
  readonly banner: string;
  readonly opened_unix: number;
  readonly last_unix: number;
  readonly resolved_unix?: number;
}

/** Equal contract violations, counted. */
export interface ViolationGroup {
  readonly trace_id: string;
  readonly span_id: string;
  readonly caller: string;
  readonly callee: string;
  readonly method: string;
  readonly route: string;
  readonly direction: 'request' | 'response';
  /** JSON pointer (RFC 6901); empty for the body itself. */
  readonly path: string;
  readonly rule: string;
  readonly expected: string;
  readonly observed: string;
  readonly severity: 'error' | 'warning';
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
}

/** A route of a service, as the kept traces show it. */
export interface CatalogEntry {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly calls: number;
  readonly errors: number;
  readonly error_rate: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly schema_known: boolean;
  readonly documented: boolean;
}

/** Every cap, fill and loss of the aggregator. */
export interface FleetStats {
  readonly traces: number;
  readonly max_traces: number;
  readonly spans: number;
  readonly max_spans: number;
  readonly max_spans_per_trace: number;
  readonly payload_bytes: number;
  readonly max_payload_bytes: number;
  readonly tag_entries: number;
  readonly max_tags: number;
  readonly spans_accepted: number;
  readonly spans_duplicate: number;
  readonly spans_dropped: number;
  readonly spans_rejected: number;
  readonly traces_evicted: number;
  readonly traces_expired: number;
  readonly payloads_dropped: number;
  readonly tags_unindexed: number;
  readonly batches_accepted: number;
  readonly batches_rejected: number;
  readonly services: number;
  readonly max_services: number;
  readonly services_evicted: number;
  readonly nodes: number;
  readonly nodes_evicted: number;
  readonly edges: number;
  readonly max_edges: number;
  readonly edges_evicted: number;
  readonly heartbeats: number;
  readonly contracts: Readonly<Record<string, number | boolean>>;
}
