// What services and aggregators say to each other, and what the aggregator's read API answers: types only, for both ends of
// the wire. Nanoseconds are decimal texts, because a JSON number cannot hold them.

/**
 * What a span records. `server` is a request that a service answered, and the default for a span without a kind. `client` is a call to
 * another service, `producer` and `consumer` are messages sent and handled: the kinds of OpenTelemetry, of which `query` is a `client` as
 * well.
 */
export type SpanKind = 'server' | 'client' | 'query' | 'producer' | 'consumer' | 'event' | 'internal';

/** Refers to a span, of this trace or of another one, that is related but not the parent. */
export interface SpanLink {
  readonly trace_id: string;
  readonly span_id: string;
}

/** One span on the wire, as services send it and the aggregator gives it back. */
export interface SpanRecord {
  /** 32 lower-case hex digits, not all zero (W3C Trace Context, section 3.2.2.3). */
  readonly trace_id: string;
  /** 16 lower-case hex digits, not all zero (section 3.2.2.4). */
  readonly span_id: string;
  /** Absent on a root. */
  readonly parent_span_id?: string;
  readonly service: string;
  /** Route pattern; the path where no pattern is known. */
  readonly route: string;
  readonly method: string;
  /** HTTP status; 0 when no response was written. */
  readonly status: number;
  /** Unix nanoseconds, UTC. Written as decimal text, because a JSON number cannot hold them; read as either. */
  readonly start_ns: string | number;
  readonly duration_ms: number;
  /** `HTTP <status>` or a short error text; never a body, never a header value. */
  readonly error?: string;
  readonly kind?: SpanKind;
  /** Name of the calling service as its `x-fw-service` header gave it; a hint, until the caller's own span arrives. */
  readonly caller?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /**
   * What OpenTelemetry's semantic conventions have names for: `server.address`, `error.type`, `db.system.name`. Never a value of a query,
   * a header or a statement. Of a request that a tracer of ours recorded, a `url.scheme` of `http` and a `network.protocol.version` of 1.1
   * are left out; one with a `url.path` has a masked path for a route.
   */
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly links?: readonly SpanLink[];
  /**
   * Share of the spans like this one that are recorded, above 0 and below 1; absent when all are. Our tracers record every failure, so
   * theirs have none.
   */
  readonly probability?: number;
  /** Names of the request's headers, never their values. */
  readonly header_names?: readonly string[];
  readonly timeline?: readonly unknown[];
  readonly request_payload?: unknown;
  readonly response_payload?: unknown;
  /** Media types of the payloads, without parameters. */
  readonly request_media_type?: string;
  readonly response_media_type?: string;
}

/** What a service says about itself every few seconds. */
export interface HeartbeatRecord {
  readonly service: string;
  readonly instance_id?: string;
  readonly version?: string;
  /** Requests per second since the last heartbeat. */
  readonly rps?: number;
  /** Share of requests since the last heartbeat that failed, 0 to 1. */
  readonly error_rate?: number;
  /**
   * Every request since the last heartbeat that arrived, recorded as a span or not: durations in milliseconds and how many requests took
   * each, alternating, ascending, to about one per cent. Absent from services that do not count them.
   */
  readonly durations?: readonly number[];
  /** How many of those requests failed. */
  readonly errors?: number;
  /**
   * The same of the requests that traced services made, by their names. Absent from services that do not count by caller, and where there
   * were too many names to tell of all.
   */
  readonly callers?: readonly CallerCount[];
  /** Changes whenever the OpenAPI document changes. */
  readonly openapi_hash?: string;
  readonly openapi_url?: string;
  /** Where the service is reached. */
  readonly service_url?: string;
  /** Where the dashboard of the service is mounted. */
  readonly dashboard_url?: string;
  /** Where the service answers `GET ?trace_id=` with its log lines. */
  readonly logs_url?: string;
}

/** Requests of one caller since the last heartbeat. */
export type CallerCount = Required<Pick<HeartbeatRecord, 'service' | 'durations' | 'errors'>>;

/** A span in its place in the trace. */
export interface SpanNode extends SpanRecord {
  readonly children?: readonly SpanNode[];
  readonly orphan?: boolean;
  readonly skewed?: boolean;
  /** The service at the address of a call, where heartbeats or earlier calls tell it. */
  readonly peer_service?: string;
  readonly root_cause?: boolean;
  readonly derived_error?: boolean;
  /** True for a failure with a cause of its own, and for one that did not make its caller fail. */
  readonly independent_error?: boolean;
  /** Why it is the root cause, or a consequence of it, or neither. */
  readonly reason?: string;
}

/** A trace as the read API gives it. */
export interface Trace {
  readonly trace_id: string;
  readonly roots: readonly SpanNode[];
  /** Sorted, each once. */
  readonly services: readonly string[];
  readonly span_count: number;
  /** From the first start to the last end, on clocks aligned along the calls. */
  readonly duration_ms: number;
  readonly start_ns: string;
  readonly has_error: boolean;
  /** What the caller saw: the status of the first root. */
  readonly status: number;
  readonly skew_flagged: boolean;
  readonly orphan_count: number;
  readonly spans_dropped?: number;
  readonly root_cause_span_id?: string;
  readonly root_cause_reason?: string;
  /** `certain` when the spans show every step to it, `likely` when one is inferred, `unsure` when it is the best guess. */
  readonly root_cause_confidence?: 'certain' | 'likely' | 'unsure';
  /** From what the caller saw down to the cause, a sentence a step. */
  readonly root_cause_evidence?: readonly string[];
  /** Where the time of a trace without failures went. */
  readonly slowest_span_id?: string;
  readonly summary?: string;
  readonly first_seen_ns?: string;
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

/** A page of the trace list. */
export interface TracePage {
  readonly traces: readonly TraceSummary[];
  readonly has_more: boolean;
  /** Where the next page begins; an opaque text. */
  readonly next_cursor?: string;
}

/** Calls, failures and durations in milliseconds, of a node or an edge over a time. */
export interface TrafficSummary {
  readonly calls: number;
  readonly errors: number;
  /** 0 to 1. */
  readonly error_rate: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly avg_ms: number;
}

/** A service in the graph, with the requests that came in over the retention window. */
export interface TopologyNode extends TrafficSummary {
  readonly service: string;
  /** It answered a request that no traced service made. */
  readonly entry?: boolean;
  /** Messages that it handled, and jobs that it ran without a request above; absent where there were none. */
  readonly work?: TrafficSummary;
  readonly last_seen_unix: number;
}

/** Calls of one service by another over the retention window; durations as the callee took them. */
export interface TopologyEdge extends TrafficSummary {
  readonly caller: string;
  readonly callee: string;
  readonly last_seen_unix: number;
}

/** The graph of services, sorted. */
export interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly edges: readonly TopologyEdge[];
  /** The retention window of its numbers, and of those of the catalog, in milliseconds. Absent from aggregators of earlier versions. */
  readonly window_ms?: number;
}

/** Whether a service answers. */
export type ServiceStatus = 'up' | 'degraded' | 'down';

/** A service as its heartbeats describe it. */
export interface ServiceInfo {
  readonly name: string;
  /** Live instances. */
  readonly instances: number;
  readonly versions?: readonly string[];
  readonly rps: number;
  readonly error_rate: number;
  readonly status: ServiceStatus;
  readonly last_heartbeat_unix: number;
  readonly openapi_hash?: string;
  readonly openapi_url?: string;
}

/** A log line of a service. */
export interface TraceLog {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly source?: string;
  readonly trace_id?: string;
  readonly service: string;
}

/** Whether a service gave its lines. */
export interface LogSource {
  readonly service: string;
  readonly available: boolean;
  readonly error?: string;
  readonly count: number;
}

/** The log lines of a trace, from every service that took part, oldest first. */
export interface TraceLogs {
  readonly trace_id: string;
  readonly logs: readonly TraceLog[];
  readonly sources: readonly LogSource[];
  readonly truncated?: boolean;
  /** Why nobody was asked. */
  readonly disabled?: string;
}

/** A service that suffers from the failing one. */
export interface AffectedService {
  readonly service: string;
  /** Calls between it and the failing service, by the shortest way. */
  readonly hops: number;
  /** Error rate of the edge over which it was reached. */
  readonly dependency_error_rate: number;
  /** The part of its own error rate that this edge can explain. */
  readonly attributed_share: number;
  /** The next service towards the failing one. */
  readonly via?: string;
}

/** A failing service and whom it drags along. */
export interface BlastRadius {
  readonly service: string;
  /** What it fails: requests, or messages and jobs that no request is above of. */
  readonly fails: 'requests' | 'work';
  readonly error_rate: number;
  /** How many requests, or messages and jobs. */
  readonly calls: number;
  readonly affected: readonly AffectedService[];
  readonly banner: string;
  readonly computed_unix: number;
}

/** What lies behind the failures of an incident, as one trace of many shows it. */
export interface IncidentCause {
  /** Where it happened: a service, or the address or kind of what a service could not use. */
  readonly name: string;
  /** `service` for one that sends spans, `target` for what was called and sends none. */
  readonly kind: 'service' | 'target';
  /** Who saw it: the service of the span. */
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly error?: string;
  readonly reason: string;
  readonly confidence: 'certain' | 'likely' | 'unsure';
  readonly evidence: readonly string[];
  /** The newest trace that shows it, and the span in it. */
  readonly trace_id: string;
  readonly span_id: string;
  /** Share of the failing traces which were looked at that it explains, 0 to 1. */
  readonly share: number;
}

/** A service that fails for the cause of another one's incident. */
export interface Consequence {
  readonly service: string;
  readonly fails: BlastRadius['fails'];
  readonly error_rate: number;
  readonly calls: number;
}

/** What somebody wrote down about an incident. */
export interface IncidentNote {
  readonly text: string;
  readonly by?: string;
  readonly unix: number;
}

/** A time during which something failed; services that fail for the same cause are folded into one. */
export interface Incident extends BlastRadius {
  readonly id: number;
  readonly state: 'open' | 'resolved';
  readonly opened_unix: number;
  readonly last_unix: number;
  readonly resolved_unix?: number;
  readonly peak_error_rate: number;
  /** Absent while no kept trace shows it. */
  readonly cause?: IncidentCause;
  readonly consequences: readonly Consequence[];
  readonly acknowledged_unix?: number;
  readonly acknowledged_by?: string;
  /** Nobody is told of this cause before. */
  readonly silenced_until_unix?: number;
  /** Oldest first. */
  readonly notes: readonly IncidentNote[];
}

/** Which side of a call broke the contract. */
export type Direction = 'request' | 'response';

/** What a body broke, without any of its values. */
export interface Violation {
  readonly trace_id: string;
  readonly span_id: string;
  /** Empty when no traced service made the call. */
  readonly caller: string;
  readonly callee: string;
  readonly method: string;
  readonly route: string;
  readonly direction: Direction;
  /** The service that the wrong value comes from, where others pass it on; empty for a caller that is not traced. */
  readonly origin: string;
  /** JSON pointer to the innermost wrong value of the body (RFC 6901); empty for the body itself, or for none. */
  readonly path: string;
  /**
   * Keyword of the schema: `type`, `required`, `enum`, `additionalProperties`, or another one; `writeOnly` for a member that must not be
   * answered. Or what else the document does not know: `route`, `method`, `status`, `mediaType`, `content` where there can be none.
   */
  readonly rule: string;
  readonly expected: string;
  /** What was there, by type: `string`, `missing`, `unknown field`. Never a value of a body. */
  readonly observed: string;
  /** `warning` for what the document does not name and does not forbid: a member, a route, a method, a status, a media type. */
  readonly severity: 'error' | 'warning';
  /** Unix nanoseconds as decimal text. */
  readonly timestamp: string;
}

/** Equal violations, counted. */
export interface ViolationGroup extends Violation {
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
}

/** A route of a service, with its requests over the retention window: those that are not recorded are counted by those like them that are. */
export interface CatalogEntry {
  readonly service: string;
  readonly method: string;
  readonly route: string;
  readonly calls: number;
  readonly errors: number;
  readonly error_rate: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  /** Whether some of the service's requests left no span, so that calls and share of failures are inferred from the others. */
  readonly estimated?: true;
  /** Whether the service's OpenAPI document is known, and whether it describes the route. */
  readonly schema_known: boolean;
  readonly documented: boolean;
}

/** What the checker has done, and what it could not do. */
export interface ContractStats {
  readonly checked: number;
  readonly queued: number;
  readonly parked: number;
  readonly schemas: number;
  /** Spans that were never checked: a queue was full, or no schema came in time. */
  readonly unchecked: number;
  /** Bodies whose check was given up, because it took too long or too much memory. */
  readonly checks_exceeded: number;
  readonly fetch_failures: number;
  readonly schema_failures: number;
  readonly violations: number;
  readonly max_violations: number;
  readonly violations_total: number;
  readonly violations_dropped: number;
  /** What was not checked lately, newest first. */
  readonly not_checked: readonly NotChecked[];
  /** Older entries of that list, pushed out by newer ones. */
  readonly not_checked_dropped: number;
  /** Traces and violations whose origin is no longer known, pushed out by newer ones. */
  readonly origins_dropped: number;
}

/** Bodies that were not checked, and why; equal ones are counted. */
export interface NotChecked {
  readonly service: string;
  /** Empty, like route and direction, when it concerns all bodies of the service. */
  readonly method: string;
  readonly route: string;
  readonly direction: Direction | '';
  /** In a few words: `a pattern of its schema takes longer than 5000 ms to match`. */
  readonly reason: string;
  readonly count: number;
  /** Unix nanoseconds as decimal text. */
  readonly last_seen: string;
}

/** The numbers of the contract checker, or that there is none. */
type ContractReport =
  | (ContractStats & { readonly off?: undefined })
  | ({ readonly off: true } & { readonly [Name in keyof ContractStats]?: undefined });

/** Fills, caps and losses of the store. */
export interface StoreStats {
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
}

/** Every cap, fill and loss. */
export interface AggregatorStats extends StoreStats {
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
  /** Addresses of which it is known who is there. */
  readonly addresses: number;
  readonly max_addresses: number;
  readonly addresses_evicted: number;
  readonly instances_evicted: number;
  /** Incidents, and silences of causes, that were pushed out by newer ones. */
  readonly incidents_dropped: number;
  readonly silences_dropped: number;
  readonly heartbeats: number;
  readonly contracts: ContractReport;
  readonly webhook: WebhookReport;
}

/** What became of the messages about incidents. */
export interface WebhookReport {
  /** Scheme, host and port; empty when none is configured. The path may hold a key. */
  readonly origin: string;
  readonly waiting: number;
  readonly delivered: number;
  readonly failed_tries: number;
  /** Given up after the last try, refused for good, or pushed out by newer ones. */
  readonly dropped: number;
  readonly last_failure?: string;
}

/** A message that the aggregator's WebSocket sends to whoever watches. */
export interface LiveMessage {
  readonly type: 'topology_snapshot' | 'trace_event' | 'service_event' | 'contract_violation';
  /** RFC 3339. */
  readonly time: string;
  readonly data: unknown;
}
