import type { SpanAttributes } from '../../../kernel/contracts/fleet.js';
import { errorType } from './error-type.js';
import { FinishedSpan } from './finished-span.js';
import { maskedPath } from '../recorded/index.js';
import type { RequestTrace } from './request-trace.js';
import { newSpanId } from './span-ids.js';
import { epochMs } from './trace-clock.js';

/** From this status on a call counts as failed; so do 429 (too many calls) and 408 (too slow). */
const FAILURE = 500;
const REFUSALS: ReadonlySet<number> = new Set([408, 429]);

/** Where a call goes. */
export interface CallTarget {
  readonly method: string;
  /** `http` or `https`. */
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** Including the query, as it was sent. */
  readonly path: string;
}

/** A running HTTP call of a request. Its span is recorded when it ends. */
export class ClientCall {
  /** Taken from the headers if the call propagates the trace, so that the callee's span is below this one. */
  spanId: string | undefined;
  private readonly startMs = epochMs();
  #status = 0;
  #answeredMs: number | undefined;
  #ended = false;

  constructor(
    private readonly trace: RequestTrace,
    private readonly target: CallTarget,
  ) {
    (trace.calls ??= new Set()).add(this);
  }

  /** Milliseconds since it began. */
  get ms(): number {
    return epochMs() - this.startMs;
  }

  /** Records the status of the response. */
  answered(status: number): void {
    this.#status = status;
    this.#answeredMs = epochMs();
  }

  /** Records the call; a second end is ignored. */
  end(error?: unknown): void {
    this.#end(epochMs(), error === undefined ? undefined : errorType(error));
  }

  /** Ends the call when its request was answered, even if the response was not read to its end. */
  leave(): void {
    if (this.#answeredMs !== undefined) this.#end(this.#answeredMs, undefined);
  }

  #end(endMs: number, failure: string | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    const { trace, target, startMs } = this;
    trace.calls?.delete(this);
    const error = failure ?? (isFailure(this.#status) ? `HTTP ${this.#status}` : undefined);
    if (!trace.sampled && error === undefined) return;
    trace.owner.record(
      new FinishedSpan(
        trace.traceId,
        (this.spanId ??= newSpanId()),
        trace.spanId,
        'client',
        maskedPath(target.path),
        target.method,
        this.#status,
        startMs,
        Math.max(0, endMs - startMs),
        error,
        undefined,
        undefined,
        undefined,
        attributesText(this.#attributes(failure)),
      ),
    );
  }

  // Semantic conventions for HTTP client spans. `url.full` is left out, because its further parts must not be recorded.
  #attributes(failure: string | undefined): SpanAttributes {
    const { method, scheme, host, port } = this.target;
    const status = this.#status;
    const type = failure ?? (status >= 400 ? String(status) : undefined);
    return {
      'http.request.method': method,
      'url.scheme': scheme,
      'server.address': host,
      ...(port > 0 && { 'server.port': port }),
      ...(status > 0 && { 'http.response.status_code': status }),
      ...(type !== undefined && { 'error.type': type }),
    };
  }
}

function isFailure(status: number): boolean {
  return status >= FAILURE || REFUSALS.has(status);
}

/** Attributes as a member of a span, with a comma before it; empty when there are none. */
export function attributesText(attributes: SpanAttributes | undefined): string {
  return attributes === undefined || Object.keys(attributes).length === 0
    ? ''
    : `,"attributes":${JSON.stringify(attributes)}`;
}
