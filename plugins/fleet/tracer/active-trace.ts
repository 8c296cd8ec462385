import { currentRequestContext, type RequestContext } from '../../../kernel/index.js';
import { RequestTrace } from './request-trace.js';

// One key for every copy of the package; the trace travels on the request's own context, so that nothing ambient is needed.
const KEY = Symbol.for('fw.fleet.trace');

type Holder = Partial<Record<typeof KEY, unknown>>;

/** Puts a trace onto a request's context. */
export function attachTrace(context: object, trace: RequestTrace): void {
  (context as Holder)[KEY] = trace;
}

/**
 * The trace of a request: of the given context, else of the ambient one while ambient contexts are on.
 * Something foreign under the key counts as no trace.
 */
export function traceOf(context: object | null | undefined): RequestTrace | undefined {
  const own = context ? (context as Holder)[KEY] : undefined;
  const held = own ?? (currentRequestContext() as (RequestContext & Holder) | undefined)?.[KEY];
  return held instanceof RequestTrace ? held : undefined;
}
