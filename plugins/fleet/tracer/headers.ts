import type { HeaderCarrier, TraceContext } from '../../../kernel/contracts/fleet.js';
import { type Baggage, type BaggageLosses, formatBaggage } from './baggage.js';
import { formatTraceparent } from './traceparent.js';

/** Headers that carry a trace from service to service. */
export const TRACE_HEADERS = {
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  baggage: 'x-fw-baggage',
  /** W3C baggage of other services, which is passed on. */
  w3cBaggage: 'baggage',
  service: 'x-fw-service',
} as const;

/** Writes the trace context of the caller into an outgoing message. */
export function injectHeaders(
  trace: TraceContext,
  baggage: Baggage,
  carrier: HeaderCarrier,
  losses: BaggageLosses,
): void {
  carrier.set(TRACE_HEADERS.traceparent, formatTraceparent(trace));
  if (trace.tracestate !== undefined) carrier.set(TRACE_HEADERS.tracestate, trace.tracestate);
  const text = formatBaggage(baggage, losses);
  if (text !== '') carrier.set(TRACE_HEADERS.baggage, text);
}
