import { degraded, off, ok, type Probe } from '../../../kernel/index.js';
import type { LogStore } from './log-store.js';
import { tagsOutsideTraces } from './tag.js';
import type { Tracer } from './tracer.js';

/** State of the tracer: off, or whether spans arrive. */
export function tracerProbe(tracer: () => Tracer | undefined, logs: LogStore): Probe {
  return () => {
    const active = tracer();
    if (!active?.enabled) return off('Tracing is off. Set enabled: true in the options of fleet/tracer.');
    const { malformedHeaders, ...counters } = active.counters();
    const detail = {
      service: active.config.serviceName,
      transport: active.transport?.name ?? 'none',
      sample_rate: active.config.sampleRate,
      max_buffer_spans: active.config.maxBufferSpans,
      spans_recorded: counters.spansRecorded,
      spans_exported: counters.spansExported,
      spans_dropped: counters.spansDropped,
      spans_buffered: counters.spansBuffered,
      export_failures: counters.exportFailures,
      requests_observed: counters.requestsObserved,
      errors_observed: counters.errorsObserved,
      tags_dropped: counters.tagsDropped,
      tags_truncated: counters.tagsTruncated,
      tags_no_trace: tagsOutsideTraces(),
      baggage_dropped: counters.baggageDropped,
      malformed_header_total: malformedHeaders,
      logs: logs.stats(),
    };
    if (active.transport === undefined) {
      return degraded('Requests are traced but not exported: aggregatorURL is empty.', { detail });
    }
    const failure = active.heartbeatFailure;
    if (failure !== undefined) return degraded(`The aggregator does not answer: ${failure}`, { detail });
    return ok('Spans are exported.', { detail });
  };
}
