import type { HeaderCarrier, TraceContext } from '../../../kernel/contracts/fleet.js';
import { TRACE_HEADERS } from './headers.js';
import { parseTraceparent } from './traceparent.js';
import { passedOnTracestate } from '../recorded/index.js';

/**
 * Reads the trace context of a message, for {@link SpanOptions.links} and for logs.
 *
 * @param carrier - headers: an object with names in lower case, `Headers`, or anything with `get`
 * @returns undefined without a well-formed `traceparent`
 */
export function extract(
  carrier: Pick<HeaderCarrier, 'get'> | Pick<Headers, 'get'> | Readonly<Record<string, unknown>>,
): TraceContext | undefined {
  const read = (name: string) => {
    const value: unknown =
      typeof carrier.get === 'function' ? carrier.get(name) : (carrier as Record<string, unknown>)[name];
    return typeof value === 'string' ? value : undefined;
  };
  const position = parseTraceparent(read(TRACE_HEADERS.traceparent) ?? '');
  const tracestate = passedOnTracestate(read(TRACE_HEADERS.tracestate));
  return position && { ...position, ...(tracestate !== undefined && { tracestate }) };
}
