import { currentRequestContext, type RequestContext } from '../../../kernel/index.js';
import { type RequestHeaders, RequestTrace, TraceOwner } from './request-trace.js';

// One key for every copy of the package; the trace travels on the request's own context, so that nothing ambient is needed.
const KEY = Symbol.for('fw.fleet.trace');

type Holder = { [KEY]?: unknown };

/** A request whose trace may be made later. */
interface TracedContext {
  readonly req: { readonly headers: RequestHeaders };
}

/** Puts a trace onto a request's context. */
export function attachTrace(context: object, trace: RequestTrace): void {
  (context as Holder)[KEY] = trace;
}

/** Says who makes the trace of a request when somebody asks for it. */
export function attachOwner(context: TracedContext, owner: TraceOwner): void {
  (context as Holder)[KEY] = owner;
}

/**
 * The trace of a request: of the given context, else of the ambient one while ambient contexts are on.
 * Something foreign under the key counts as no trace.
 */
export function traceOf(context: object | null | undefined): RequestTrace | undefined {
  const own = context ? (context as Holder)[KEY] : undefined;
  if (own instanceof TraceOwner) return made(context as TracedContext, own);
  const held = own ?? (currentRequestContext() as (RequestContext & Holder) | undefined)?.[KEY];
  return held instanceof RequestTrace ? held : undefined;
}

/** The trace that a request has got; undefined when nobody has asked for it yet. */
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
