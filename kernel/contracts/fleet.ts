import { token } from '../container/token.js';

/** What a span stands for. `server` is a request that a service answered, and what a span without a kind is. */
export type SpanKind = 'server' | 'query' | 'event' | 'internal';

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
  /** Names of the request's headers, never their values. */
  readonly header_names?: readonly string[];
  readonly timeline?: readonly unknown[];
  readonly request_payload?: unknown;
  readonly response_payload?: unknown;
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
  /** Changes whenever the OpenAPI document changes. */
  readonly openapi_hash?: string;
  readonly openapi_url?: string;
  /** Where the dashboard of the service is mounted. */
  readonly dashboard_url?: string;
  /** Where the service answers `GET ?trace_id=` with its log lines. */
  readonly logs_url?: string;
}

/** Headers of one message, in either direction; names are lower case. */
export interface HeaderCarrier {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

/** The position in a trace that crosses a process boundary. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
  /** The W3C `tracestate` header, passed on as it came. */
  readonly tracestate?: string;
}

/** Spans that are exported together. */
export interface SpanBatch {
  readonly count: number;
  /** JSON text: an array of {@link SpanRecord}. */
  text(): string;
  /** The same, split by trace: for brokers that keep the messages of one key in order. */
  byTrace(): readonly { readonly traceId: string; readonly text: string }[];
}

/** Carries spans and heartbeats to an aggregator, and trace headers to other services. */
export interface SpanTransport {
  /** Shown by the diagnostics probe. */
  readonly name: string;
  /** Rejects when the aggregator did not take the spans; see `isPermanent` of the error. */
  exportSpans(batch: SpanBatch, signal: AbortSignal): Promise<void>;
  exportHeartbeat(heartbeat: HeartbeatRecord, signal: AbortSignal): Promise<void>;
  /** Writes trace headers; left out, the W3C headers and `x-fw-baggage` are written. */
  inject?(trace: TraceContext, baggage: ReadonlyMap<string, string>, carrier: HeaderCarrier): void;
  close?(): Promise<void>;
}

/** Records spans of other parts of the application: queries, event handlers, background work. */
export interface SpanRecorder {
  /** False while tracing is off: nothing needs to be prepared. */
  readonly enabled: boolean;
  /**
   * Records something that has ended as a child of the request that runs; nothing happens outside a traced request.
   * @param context - the request's context, or undefined for the ambient one
   */
  record(
    context: object | undefined,
    span: {
      readonly kind: SpanKind;
      /** What was done: the SQL text with placeholders, the topic. Never a value. */
      readonly name: string;
      /** The verb: `SELECT`, `HANDLE`. */
      readonly method: string;
      readonly durationMs: number;
      /** Short text when it failed. */
      readonly error?: string;
    },
  ): void;
}

/** The tracer of the application, for plugins that have something to add to a trace. */
export const SpanRecorder = token<SpanRecorder>('fw.SpanRecorder');

/** The aggregator that runs in this application. */
export interface LocalAggregator {
  /** Its mount, e.g. `http://127.0.0.1:3000/fleet`; known once the server listens. */
  readonly url: string;
  /** Write credential, empty when none is configured. */
  readonly ingestToken: string;
}

export const LocalAggregator = token<LocalAggregator>('fw.LocalAggregator');
