import { attachedTrace, traceOf } from './active-trace.js';

let tagsWithoutTrace = 0;

/**
 * Sets a custom attribute on the span of a request; it travels on to called services as bounded baggage
 * (key 64 bytes, value 128 bytes, 32 tags; more is cut or left out, and counted). Outside a traced request nothing happens.
 *
 * @param context - the request's context; undefined for the ambient one, while ambient contexts are on
 */
export function tag(context: object | null | undefined, key: string, value: string | number | boolean): void {
  const trace = traceOf(context);
  if (trace) trace.tag(String(key), String(value));
  else tagsWithoutTrace++;
}

/** Number of tags in this process that were set outside a traced request, and so not recorded. */
export function tagsOutsideTraces(): number {
  return tagsWithoutTrace;
}

/** Trace id of a request, 32 hex digits; empty outside a traced request. */
export function traceIDOf(context?: object | null): string {
  return traceOf(context)?.traceId ?? '';
}

/** Trace id of a request whose trace is recorded; undefined without a trace, or if sampling left it out. */
export function recordedTraceIDOf(context: object): string | undefined {
  const trace = attachedTrace(context);
  return trace?.sampled === true ? trace.traceId : undefined;
}
