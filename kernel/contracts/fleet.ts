import { token } from '../container/token.js';
import type { HeartbeatRecord, SpanKind } from './fleet-wire.js';

/** Headers of one message, in either direction; names are lower case. */
export interface HeaderCarrier {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
}

/** Text of a trace id: https://www.w3.org/TR/trace-context/#trace-id */
export const TRACE_ID = /^[0-9a-f]{32}$/;

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
  /**
   * Rejects when the receiver did not take the spans. An error with `isPermanent: true` is not tried again, one with `retryAfterMs` not
   * before that time. A receiver that took a part of them says how many it refused.
   */
  exportSpans(batch: SpanBatch, signal: AbortSignal): Promise<void | { readonly rejected: number }>;
  exportHeartbeat(heartbeat: HeartbeatRecord, signal: AbortSignal): Promise<void>;
  /** Writes trace headers; left out, the W3C headers and `x-fw-baggage` are written. */
  inject?(trace: TraceContext, baggage: ReadonlyMap<string, string>, carrier: HeaderCarrier): void;
  close?(): Promise<void>;
}

/**
 * Another protocol in which an aggregator takes spans, at a path of its own below the aggregator's mount: with its write credential, its
 * bounds, and the same treatment of what comes in. Plugins contribute it.
 */
export interface SpanFormat {
  /** Below the mount: `/v1/traces`. */
  readonly path: string;
  /**
   * @param body - unzipped, within the bounds of the aggregator
   * @param mediaType - of the body, in lower case, without parameters
   * @param maxSpans - more are refused
   * @returns spans as `SpanRecord`; those with a malformed identity are refused one by one
   * @throws FwError with a status of 400, 413 or 415
   */
  read(body: Buffer, mediaType: string, maxSpans: number): readonly unknown[];
  /** What is answered with 200. @param rejected - how many spans were refused, though the others were taken */
  answer(mediaType: string, rejected: number): FormatAnswer;
  /** The body of an answer that refuses the whole request. */
  refusal(mediaType: string, message: string): FormatAnswer;
}

/** A body in the words of another protocol. */
export interface FormatAnswer {
  readonly type: string;
  readonly body: Buffer | string;
}

export const SpanFormat = token<SpanFormat>('fw.FleetSpanFormat');

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
  /** Whether it is this process of the application that runs it. */
  readonly runsHere: boolean;
  /** Its mount, e.g. `http://127.0.0.1:3000/fleet`; known once the server listens. */
  readonly url: string;
  /** Write credential: the configured one, else {@link processToken}. */
  readonly ingestToken: string;
  /**
   * Generated at every start. In `X-Fleet-Token` it gives this process, from any address, access to what has no credential of its own, and
   * not to what has one.
   */
  readonly processToken: string;
}

export const LocalAggregator = token<LocalAggregator>('fw.LocalAggregator');
