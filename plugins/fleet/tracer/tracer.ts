import type { HeaderCarrier, SpanTransport, TraceContext } from '../../../kernel/contracts/fleet.js';
import { enableRequestContext } from '../../../kernel/context/index.js';
import { cutText } from '../../../kernel/log/index.js';
import { passedOnTracestate, samplingMember } from '../recorded/index.js';
import { BatchExporter, type ExportNumbers, HttpTransport } from '../transports/index.js';
import { type Baggage, parseBaggage } from './baggage.js';
import { traceCalls } from './call-tracing.js';
import type { FinishedSpan } from './finished-span.js';
import { Heartbeats } from './heartbeats.js';
import { injectHeaders, TRACE_HEADERS } from './headers.js';
import { type ResolvedTracerConfig, resolveTracerConfig, type TracerConfig } from './options.js';
import { type RequestHeaders, RequestTrace, type TagCounters, TraceOwner } from './request-trace.js';
import { isSampled } from './sampling.js';
import { newTraceId } from './span-ids.js';
import { SpanEncoder } from './span-encoder.js';
import { ActiveSpan, type RootSpanOptions } from './start-span.js';
import { isSampledBy, isTraceparent, TRACEPARENT_LENGTH } from './traceparent.js';
import { passedOnBaggage } from './w3c-baggage.js';

/** Default time for which {@link Tracer.close} goes on sending, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** What a tracer has counted since it was made. */
export interface TracerCounters extends ExportNumbers, TagCounters {
  readonly malformedHeaders: number;
  readonly requestsObserved: number;
  readonly errorsObserved: number;
}

/**
 * Records what requests do and exports it to the aggregator (SPEC "Fleet operations"). Make one per service with
 * {@link newTracer}; give it to `middleware(tracer)`.
 */
export class Tracer extends TraceOwner {
  readonly tagCounters: TagCounters = { tagsDropped: 0, tagsTruncated: 0, baggageDropped: 0 };
  readonly config: ResolvedTracerConfig;
  readonly transport: SpanTransport | undefined;
  readonly #endings: (() => void)[] = [];
  readonly #samplingMember: string | undefined;
  readonly #exporter: BatchExporter<FinishedSpan> | undefined;
  readonly #further: BatchExporter<FinishedSpan>[] = [];
  readonly #transports: SpanTransport[] = [];
  readonly #heartbeats: Heartbeats | undefined;
  #isDescribed: boolean | undefined;
  #malformedHeaders = 0;
  #requests = 0;
  #errors = 0;
  #closing: Promise<void> | undefined;

  constructor(config: TracerConfig) {
    super();
    this.config = resolveTracerConfig(config);
    this.#samplingMember = samplingMember(this.config.sampleRate);
    if (!this.config.enabled) return;
    if (this.config.ambientContext) enableRequestContext();
    this.transport = this.config.transport ?? defaultTransport(this.config);
    if (this.transport === undefined) return;
    this.#transports.push(this.transport);
    this.#exporter = this.#exporterTo(this.transport);
    this.#heartbeats = new Heartbeats(this.transport, this.config);
  }

  /** Begins to export on its timers, which do not keep the process alive. Idempotent; {@link newTracer} does it. */
  start(): this {
    if (this.config.clientSpans && !this.tracesCalls) this.onClose(traceCalls(this));
    this.#exporter?.start();
    for (const each of this.#further) each.start();
    this.#heartbeats?.start();
    return this;
  }

  /** Whether requests are traced: `enabled`. Without an aggregator, trace headers are still propagated, but nothing is exported. */
  get enabled(): boolean {
    return this.config.enabled;
  }

  /** Whether the service has an OpenAPI document that its requests are checked against; known from the first request on. */
  get isDescribed(): boolean {
    return (this.#isDescribed ??= this.config.openAPIURL() !== undefined || this.config.capturePayloads());
  }

  /** Begins the trace of a request from its headers; a new one when they carry none, or a malformed one. */
  begin(headers: RequestHeaders): RequestTrace {
    const header = headers[TRACE_HEADERS.traceparent];
    if (typeof header !== 'string' || !isTraceparent(header)) {
      if (header !== undefined && header !== '') this.#malformedHeaders++;
      return this.#withBaggage(this.beginRoot(), headers);
    }
    const tracestate = passedOnTracestate(textOf(headers[TRACE_HEADERS.tracestate]));
    const inherited = parseBaggage(textOf(headers[TRACE_HEADERS.baggage]), this.tagCounters);
    // Drops the additional part of later versions.
    const caller = cutText(header, TRACEPARENT_LENGTH);
    return this.#withBaggage(new RequestTrace(this, caller, '', isSampledBy(header), tracestate, inherited), headers);
  }

  #withBaggage(trace: RequestTrace, headers: RequestHeaders): RequestTrace {
    const header = headers[TRACE_HEADERS.w3cBaggage];
    if (header !== undefined) trace.w3cBaggage = passedOnBaggage(textOf(header), this.tagCounters);
    return trace;
  }

  /** Whether the caller of a request has decided that its trace is not recorded. */
  isLeftOut(headers: RequestHeaders): boolean {
    const header = headers[TRACE_HEADERS.traceparent];
    return typeof header === 'string' && !isSampledBy(header) && isTraceparent(header);
  }

  /** Begins a trace without a caller. */
  beginRoot(): RequestTrace {
    const traceId = newTraceId();
    const sampled = isSampled(traceId, this.config.sampleRate);
    return new RequestTrace(this, undefined, traceId, sampled, this.#samplingMember, undefined);
  }

  /**
   * Counts an answered request for the heartbeat, recorded or not.
   * @param durationMs - not negative
   * @param caller - service that made it, as its `x-fw-service` header gives it
   */
  observe(failed: boolean, durationMs: number, caller?: string): void {
    this.#requests++;
    if (failed) this.#errors++;
    this.#heartbeats?.count(failed, durationMs, caller);
  }

  record(span: FinishedSpan): void {
    this.#exporter?.add(span);
    for (const each of this.#further) each.add(span);
  }

  /**
   * Also exports every span to a second receiver, with its own buffer and retries, so that neither waits for the other. Call it before the
   * tracer starts.
   *
   * @returns its counters
   */
  exportAlso(transport: SpanTransport): () => ExportNumbers {
    const exporter = this.#exporterTo(transport);
    if (this.config.enabled) {
      this.#further.push(exporter);
      this.#transports.push(transport);
    }
    return () => exporter.numbers();
  }

  #exporterTo(transport: SpanTransport): BatchExporter<FinishedSpan> {
    const encoder = new SpanEncoder(this.config.serviceName);
    const encode = (spans: readonly FinishedSpan[]) => encoder.batch(spans);
    return new BatchExporter({ ...this.config, encode, transport, log: this.config.logger });
  }

  inject(trace: RequestTrace, carrier: HeaderCarrier): void {
    this.#write(trace, this.tracesCalls ? trace.announceCall() : trace.spanId, carrier);
  }

  injectSpan(trace: RequestTrace, carrier: HeaderCarrier): void {
    this.#write(trace, trace.spanId, carrier);
  }

  /**
   * Opens a span without a request, for a job or a message. It continues the trace of `parent`, or begins one.
   *
   * @example await tracer.startSpan('nightly-report').run(() => report());
   */
  startSpan(name: string, options: RootSpanOptions = {}): ActiveSpan {
    const trace = options.parent ? this.begin(options.parent) : this.beginRoot();
    return new ActiveSpan(trace, trace.parentId, name, options);
  }

  #write(trace: RequestTrace, spanId: string, carrier: HeaderCarrier): void {
    const baggage: Baggage = trace.allTags() ?? NO_BAGGAGE;
    const { traceId, sampled, tracestate } = trace;
    const position: TraceContext = { traceId, spanId, sampled, ...(tracestate !== undefined && { tracestate }) };
    if (this.transport?.inject) this.transport.inject(position, baggage, carrier);
    else injectHeaders(position, baggage, carrier, this.tagCounters);
    // A baggage header that the caller has set for this request is kept.
    if (trace.w3cBaggage !== undefined && carrier.get(TRACE_HEADERS.w3cBaggage) === undefined) {
      carrier.set(TRACE_HEADERS.w3cBaggage, trace.w3cBaggage);
    }
    carrier.set(TRACE_HEADERS.service, encodeURIComponent(this.config.serviceName));
  }

  /** Everything counted so far. */
  counters(): TracerCounters {
    return {
      ...(this.#exporter?.numbers() ?? NO_NUMBERS),
      ...this.tagCounters,
      malformedHeaders: this.#malformedHeaders,
      requestsObserved: this.#requests,
      errorsObserved: this.#errors,
    };
  }

  /** Why heartbeats fail at the moment, if they do. */
  get heartbeatFailure(): string | undefined {
    return this.#heartbeats?.failure;
  }

  /**
   * Shuts the tracer down: sends the remaining spans, then closes the connections. Idempotent.
   * @param options.timeout - longest time to go on sending, in milliseconds
   */
  close({ timeout = CLOSE_TIMEOUT_MS }: { readonly timeout?: number } = {}): Promise<void> {
    return (this.#closing ??= this.#close(timeout));
  }

  /** Calls a function when the tracer is closed, before it sends the remaining spans. */
  onClose(end: () => void): void {
    this.#endings.push(end);
  }

  async #close(timeoutMs: number): Promise<void> {
    for (const end of this.#endings.splice(0)) end();
    this.#heartbeats?.stop();
    const exporters = [...(this.#exporter ? [this.#exporter] : []), ...this.#further];
    await Promise.all(exporters.map((exporter) => exporter.close(timeoutMs)));
    await Promise.all(this.#transports.map((transport) => transport.close?.()));
  }
}

/** Creates the tracer of a service. @throws FwError when an option is wrong */
export function newTracer(config: TracerConfig): Tracer {
  return new Tracer(config).start();
}

const NO_NUMBERS: ExportNumbers = { spansRecorded: 0, spansExported: 0, spansDropped: 0, exportFailures: 0, spansBuffered: 0 }; // prettier-ignore
const NO_BAGGAGE: Baggage = new Map();

function defaultTransport({
  aggregatorURL,
  ingestToken,
  serviceName,
}: ResolvedTracerConfig): SpanTransport | undefined {
  return aggregatorURL === '' ? undefined : new HttpTransport({ aggregatorURL, ingestToken, serviceName });
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}
