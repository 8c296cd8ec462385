import type { SpanKind } from '../../../kernel/contracts/fleet-wire.js';

/**
 * A span that has ended and waits for its export. One class with always the same fields, so that all objects share a hidden class.
 * Expensive values are computed when the batch is encoded, not while the request is answered.
 */
export class FinishedSpan {
  constructor(
    readonly traceId: string,
    readonly spanId: string,
    readonly parentId: string | undefined,
    readonly kind: SpanKind,
    readonly route: string,
    readonly method: string,
    readonly status: number,
    readonly startMs: number,
    readonly durationMs: number,
    readonly error: string | undefined,
    readonly tags: ReadonlyMap<string, string> | undefined,
    /** Header names of the request, sorted. */
    readonly headerNames: readonly string[] | undefined,
    /** Name of the calling service, as it came. */
    readonly caller: string | undefined,
    /** Further members as JSON text, each with a comma before it. */
    readonly extra: string,
  ) {}
}
