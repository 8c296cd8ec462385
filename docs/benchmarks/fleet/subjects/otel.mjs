import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

/**
 * OpenTelemetry as its documentation sets it up for production: batches, OTLP as JSON over HTTP, defaults.
 *
 * @param {string} sink
 */
export function registered(sink) {
  const exporter = new OTLPTraceExporter({ url: `${sink}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'bench' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return { flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
