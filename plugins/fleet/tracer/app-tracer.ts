import { AppInfo, HttpServer, Logger, MemoryEventBackend, type Resolver } from '../../../kernel/index.js';
import { EventBackend } from '../../../kernel/contracts/events.js';
import { LocalAggregator, type SpanTransport } from '../../../kernel/contracts/fleet.js';
import { transportNamed } from '../transports/index.js';
import { capturesPayloads, type TracerPluginOptions } from './plugin-options.js';
import { ServiceAddress } from './service-address.js';
import { Tracer } from './tracer.js';

/** The tracer of an application, from the options of its plugin and the other enabled plugins. */
export function appTracer(options: TracerPluginOptions, resolve: Resolver): Tracer {
  const app = resolve.get(AppInfo);
  const serviceName = options.serviceName || app.name;
  const address = new ServiceAddress(options, resolve.get(HttpServer), app);
  const captures = capturesPayloads(options, app.profile);
  const { enabled, flushInterval, maxBatchSize, maxBufferSpans, sampleRate, exportTimeout, heartbeatInterval } =
    options;
  return new Tracer({
    enabled, flushInterval, maxBatchSize, maxBufferSpans, sampleRate, exportTimeout, heartbeatInterval,
    serviceName,
    clientSpans: options.clientSpans,
    aggregatorURL: options.aggregatorURL,
    transport: enabled ? transportOf(options, serviceName, resolve) : undefined,
    instanceID: options.instanceID || undefined,
    version: app.version,
    openAPIURL: () => address.openAPIURL,
    openAPIHash: () => address.openAPIHash,
    serviceURL: () => address.serviceURL,
    logsURL: () => address.logsURL,
    // Without a document there is nothing to check bodies against.
    capturePayloads: () => captures && address.servesOpenAPI,
    logger: resolve.get(Logger).child({ plugin: 'fleet/tracer' }),
  }); // prettier-ignore
}

function transportOf(options: TracerPluginOptions, serviceName: string, resolve: Resolver): SpanTransport | undefined {
  const { transport, aggregatorWSURL, aggregatorURL, ingestToken } = options;
  const local = resolve.getOptional(LocalAggregator);
  const backend = transport === 'events' ? backendThatIsRead(resolve) : undefined;
  // An unknown transport name is an error even without an export target.
  const hasTarget = aggregatorURL !== '' || local !== undefined || backend !== undefined || aggregatorWSURL !== '';
  const made = transportNamed(transport, {
    aggregatorURL: aggregatorURL || (local ? () => local.url : 'http://127.0.0.1'),
    ingestToken: ingestToken || (aggregatorURL === '' ? local?.ingestToken : '') || undefined,
    serviceName,
    aggregatorWSURL: aggregatorWSURL || undefined,
    backend,
  });
  return hasTarget ? made : undefined;
}

// The in-memory backend is useful only if an aggregator runs in this process; otherwise spans are sent over HTTP (SPEC "Events", 1).
function backendThatIsRead(resolve: Resolver): EventBackend | undefined {
  const backend = resolve.getOptional(EventBackend);
  const isReadHere = resolve.getOptional(LocalAggregator)?.runsHere === true;
  return backend instanceof MemoryEventBackend && !isReadHere ? undefined : backend;
}
