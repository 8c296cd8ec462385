import { token } from '../container/token.js';
import type { HeartbeatRecord, SpanKind } from './fleet-wire.js';

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
  /** JSON text: an array of `SpanRecord`. */
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
      /** By the names of OpenTelemetry's semantic conventions. Never a value of a query, a header or a statement. */
      readonly attributes?: SpanAttributes;
    },
  ): void;
}

/** Attributes of a span, by the names of OpenTelemetry's semantic conventions where they have one. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The tracer of the application, for plugins that have something to add to a trace. */
export const SpanRecorder = token<SpanRecorder>('fw.SpanRecorder');

/** The aggregator that runs in this application. */
export interface LocalAggregator {
  /** Its mount, e.g. `http://127.0.0.1:3000/fleet`; known once the server listens. */
  readonly url: string;
  /** Write credential: the configured one, else {@link processToken}. */
  readonly ingestToken: string;
  /**
   * Made anew at every start. In `X-Fleet-Token` it opens to this process, from any address, what has no credential of its own;
   * what has one stays closed to it.
   */
  readonly processToken: string;
}

export const LocalAggregator = token<LocalAggregator>('fw.LocalAggregator');
