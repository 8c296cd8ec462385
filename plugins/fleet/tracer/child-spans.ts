import type { SpanRecorder } from '../../../kernel/contracts/fleet.js';
import { cutText } from '../../../kernel/log/index.js';
import { traceOf } from './active-trace.js';
import { attributesText } from './client-call.js';
import { FinishedSpan } from './finished-span.js';
import { newSpanId } from './span-ids.js';
import { epochMs } from './trace-clock.js';
import type { Tracer } from './tracer.js';

/** Longest name of a span: the start of an SQL text suffices. */
const MAX_NAME = 512;

/** Records queries, event handlers and other parts of a request as children of its span. */
export function spanRecorder(tracer: Tracer): SpanRecorder {
  return {
    enabled: tracer.enabled,
    record(context, { kind, name, method, durationMs, error, attributes }) {
      const trace = tracer.enabled ? traceOf(context) : undefined;
      if (trace === undefined || (!trace.sampled && error === undefined)) return;
      const route = name.length > MAX_NAME ? `${cutText(name, MAX_NAME)}…` : name;
      const startMs = epochMs() - durationMs;
      const { traceId, spanId } = trace;
      tracer.record(
        new FinishedSpan(
          traceId, newSpanId(), spanId, kind, route, method, 0, startMs, durationMs, error, undefined, undefined, undefined,
          attributesText(attributes),
        ), // prettier-ignore
      );
    },
  };
}
