import type { SpanAttributes } from '../../../kernel/contracts/fleet.js';
import { errorType } from './error-type.js';
import { FinishedSpan } from './finished-span.js';
import { maskedPath } from './masked-path.js';
import type { RequestTrace } from './request-trace.js';
import { newSpanId } from './span-ids.js';
import { epochMs } from './trace-clock.js';

/** From this status on a call failed whatever was asked; 429 says that the caller asked too often, 408 that it was too slow. */
const FAILURE = 500;
const REFUSALS: ReadonlySet<number> = new Set([408, 429]);

/** Where a call goes. */
export interface CallTarget {
  readonly method: string;
  /** `http` or `https`. */
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** With its query, as it was sent. */
  readonly path: string;
}

/** A call over HTTP that is under way, made while a request is handled. Its span is recorded when it ends. */
export class ClientCall {
  /** Taken over from the headers where the call carries the trace on, so that the callee's span is below this one. */
  spanId: string | undefined;
  #status = 0;
  #answeredMs: number | undefined;
  #ended = false;

  constructor(
    private readonly trace: RequestTrace,
    private readonly target: CallTarget,
    private readonly startMs: number = epochMs(),
  ) {
    (trace.calls ??= new Set()).add(this);
  }

  /** The head of the answer is there. */
  answered(status: number): void {
    this.#status = status;
    this.#answeredMs = epochMs();
  }

  /** Records the call. What comes after the first end changes nothing. */
  end(error?: unknown): void {
    this.#end(epochMs(), error === undefined ? undefined : errorType(error));
  }

  /** The request that made the call has been answered: an answer that nobody reads to its end ends here. */
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

  // Semantic conventions for HTTP client spans. `url.full` is left out: what it adds to these is what must not be recorded.
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
