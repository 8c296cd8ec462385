import { type RequestContext, runInRequestContext } from '../../../kernel/index.js';
import { isThenable } from '../../../kernel/contracts/thenable.js';
import type { HeaderCarrier, SpanAttributes, TraceContext } from '../../../kernel/contracts/fleet.js';
import type { SpanKind } from '../../../kernel/contracts/fleet-wire.js';
import { cutText } from '../../../kernel/log/index.js';
import { attachTrace, traceOf } from './active-trace.js';
import { attributesText } from './client-call.js';
import { errorType } from './error-type.js';
import { FinishedSpan } from './finished-span.js';
import { probabilityText } from './probability.js';
import { carrierOf, type OutgoingRequest } from './propagate.js';
import type { RequestHeaders, RequestTrace } from './request-trace.js';
import { epochMs } from './trace-clock.js';

/** Longest name of a span, in characters. */
const MAX_NAME = 512;
/** Most attributes and links of one span; further ones are dropped. */
const MAX_ATTRIBUTES = 32;
const MAX_LINKS = 32;

/** Options of {@link startSpan}. */
export interface SpanOptions {
  /** Default `internal`. A `server` span comes from the middleware. */
  readonly kind?: Exclude<SpanKind, 'server'>;
  /** The verb that stands before the name: `RUN`, `SEND`. Default `RUN`. */
  readonly method?: string;
  /** By the names of OpenTelemetry's semantic conventions. Recorded as they are: give no values that are secret. */
  readonly attributes?: SpanAttributes;
  /** Traces that led here without being the caller: the messages of a batch. What {@link extract} gives. */
  readonly links?: readonly TraceContext[];
}

/** Options of a tracer's own `startSpan`. */
export interface RootSpanOptions extends SpanOptions {
  /** Headers of the message or job whose trace the span continues; without a valid `traceparent` it begins a trace of its own. */
  readonly parent?: RequestHeaders;
}

/** A span that is open. */
export class ActiveSpan {
  readonly #startMs = epochMs();
  readonly #attributes: Record<string, string | number>;
  #ended = false;

  /**
   * @param trace - the position of this span
   * @param parentId - undefined for a root
   */
  constructor(
    private readonly trace: RequestTrace,
    private readonly parentId: string | undefined,
    private readonly name: string,
    private readonly options: SpanOptions,
  ) {
    this.#attributes = { ...options.attributes };
  }

  /** 32 hex digits. */
  get traceId(): string {
    return this.trace.traceId;
  }

  /** 16 hex digits. */
  get spanId(): string {
    return this.trace.spanId;
  }

  /** Adds an attribute; within its limit of 32. */
  setAttribute(name: string, value: string | number): this {
    if (name in this.#attributes || Object.keys(this.#attributes).length < MAX_ATTRIBUTES)
      this.#attributes[name] = value;
    return this;
  }

  /** Writes trace headers that make the receiver's span a child of this one. @returns the carrier */
  inject<Carrier extends OutgoingRequest>(carrier: Carrier): Carrier {
    this.trace.owner.injectSpan(this.trace, carrierOf(carrier));
    return carrier;
  }

  /**
   * Runs a function inside of this span: its calls, queries and log lines belong to it while ambient contexts are on. Ends the span when
   * the function has returned, or its promise has settled; rethrows its errors.
   */
  run<Result>(work: () => Result): Result {
    const context: RequestContext = {
      requestId: this.spanId,
      signal: new AbortController().signal,
      traceId: this.traceId,
      spanId: this.spanId,
    };
    attachTrace(context, this.trace);
    try {
      const result = runInRequestContext(context, work);
      if (!isThenable(result)) {
        this.end();
        return result;
      }
      return result.then(
        (value) => {
          this.end();
          return value;
        },
        (error: unknown) => {
          this.end(error);
          throw error;
        },
      ) as Result;
    } catch (error) {
      this.end(error);
      throw error;
    }
  }

  /**
   * Ends the span and records it; a second end changes nothing.
   * @param error - why it failed; only its code or its name is recorded
   */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const { trace, parentId, name, options } = this;
    trace.endCalls();
    const type = error === undefined ? undefined : errorType(error);
    if (!trace.sampled && type === undefined) return;
    if (type !== undefined) this.setAttribute('error.type', type);
    const { kind = 'internal', method = 'RUN', links = [] } = options;
    trace.owner.record(
      new FinishedSpan(
        trace.traceId, trace.spanId, parentId, kind, cutText(name, MAX_NAME), method, 0, this.#startMs,
        Math.max(0, epochMs() - this.#startMs), type, trace.allTags(), undefined, undefined,
        attributesText(this.#attributes) + linksText(links) + (type === undefined ? probabilityText(trace) : ''),
      ), // prettier-ignore
    );
  }
}

/**
 * Opens a child of the active span: that of the handled request, or that of the enclosing `run`.
 *
 * @param name - what is done: `nightly-report`. Never a value
 * @param context - the request's context; undefined for the ambient one
 * @returns undefined outside a traced request
 *
 * @example await startSpan('render invoice')?.run(() => render(order)) ?? render(order);
 */
export function startSpan(name: string, options: SpanOptions = {}, context?: object | null): ActiveSpan | undefined {
  const parent = traceOf(context);
  return parent && new ActiveSpan(parent.child(), parent.spanId, name, options);
}

/**
 * Writes the trace headers of the active span into a message: `inject(carrier)`, or `inject(carrier, ctx)`. Outside a traced request
 * nothing is written. The same as `propagateFromHTTP`, for carriers of any kind.
 *
 * @returns the carrier
 */
export function inject<Carrier extends OutgoingRequest | HeaderCarrier>(
  carrier: Carrier,
  context?: object | null,
): Carrier {
  const trace = traceOf(context);
  if (trace) trace.owner.inject(trace, isCarrier(carrier) ? carrier : carrierOf(carrier));
  return carrier;
}

function isCarrier(carrier: object): carrier is HeaderCarrier {
  const { get, set } = carrier as Partial<Record<'get' | 'set', unknown>>;
  return typeof get === 'function' && typeof set === 'function';
}

function linksText(links: readonly TraceContext[]): string {
  if (links.length === 0) return '';
  const written = links.slice(0, MAX_LINKS).map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId }));
  return `,"links":${JSON.stringify(written)}`;
}
