import { currentRequestContext, type RequestContext } from '../../../kernel/index.js';
import { type RequestHeaders, RequestTrace, TraceOwner } from './request-trace.js';

// One key for every copy of the package; the trace is stored on the request's own context, so that no ambient context is needed.
const KEY = Symbol.for('fw.fleet.trace');

type Holder = { [KEY]?: unknown };

/** A request whose trace is made lazily. */
interface TracedContext {
  readonly req: { readonly headers: RequestHeaders };
}

/** Puts a trace onto a request's context. */
export function attachTrace(context: object, trace: RequestTrace): void {
  (context as Holder)[KEY] = trace;
}

/** Sets the owner that makes the trace of a request on demand. */
export function attachOwner(context: TracedContext, owner: TraceOwner): void {
  (context as Holder)[KEY] = owner;
}

/**
 * The trace of a request: of the given context, else of the ambient one while ambient contexts are on. A foreign value under the key counts
 * as no trace.
 */
export function traceOf(context: object | null | undefined): RequestTrace | undefined {
  const own = context ? (context as Holder)[KEY] : undefined;
  if (own instanceof TraceOwner) return made(context as TracedContext, own);
  const held = own ?? (currentRequestContext() as (RequestContext & Holder) | undefined)?.[KEY];
  return held instanceof RequestTrace ? held : undefined;
}

/** The trace of a request if it was made already; else undefined. */
export function attachedTrace(context: object): RequestTrace | undefined {
  const held = (context as Holder)[KEY];
  return held instanceof RequestTrace ? held : undefined;
}

/** Whether a request's trace is recorded. One that was never made is not. */
export function isRecorded(context: object): boolean {
  return attachedTrace(context)?.sampled === true;
}

function made(context: TracedContext, owner: TraceOwner): RequestTrace {
  const trace = owner.begin(context.req.headers);
  attachTrace(context, trace);
  return trace;
}
