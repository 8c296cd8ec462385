import type { Logger } from '../../../kernel/index.js';
import type { SpanBatch } from '../../../kernel/contracts/fleet.js';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import type { Aggregator } from '../aggregator/index.js';
import { BatchExporter, type ExportNumbers, type ExporterOptions } from '../transports/index.js';
import type { OtlpTransport } from './otlp-transport.js';

/** Forwarding of all spans that an aggregator takes in. */
export interface Forwarding {
  readonly numbers: () => ExportNumbers;
  /** Sends the remaining spans, for at most so many milliseconds. */
  close(timeoutMs: number): Promise<void>;
}

type Bounds = Pick<ExporterOptions<SpanRecord>, 'flushInterval' | 'maxBatchSize' | 'maxBufferSpans' | 'exportTimeout'>;

/** Forwards every new span of the aggregator, with a buffer of its own. */
export function forwardSpans(
  aggregator: Aggregator,
  transport: OtlpTransport,
  bounds: Bounds,
  log: Logger,
): Forwarding {
  const exporter = new BatchExporter<SpanRecord>({ ...bounds, transport, encode: batchOf, log });
  const end = aggregator.subscribe({ onSpan: (span) => exporter.add(span) });
  exporter.start();
  return {
    numbers: () => exporter.numbers(),
    async close(timeoutMs) {
      end();
      await exporter.close(timeoutMs);
      await transport.close();
    },
  };
}

function batchOf(spans: readonly SpanRecord[]): SpanBatch {
  const text = () => JSON.stringify(spans);
  return {
    count: spans.length,
    text,
    byTrace: () => spans.map((span) => ({ traceId: span.trace_id, text: JSON.stringify([span]) })),
  };
}
