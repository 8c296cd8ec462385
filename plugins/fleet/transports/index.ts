export { aggregatorAddress } from './aggregator-address.js';
export { TRANSPORT_ERRORS } from './errors.js';
export {
  BatchExporter,
  type ExportCounters,
  type ExportNumbers,
  type ExporterOptions,
  MAX_TRIES,
} from './batch-exporter.js';
export { ExportError } from './export-error.js';
export { FLEET_META, FLEET_TOPICS } from './fleet-topics.js';
export { HttpTransport, type HttpTransportOptions } from './http-transport.js';
export { NativeTransport, type NativeTransportOptions } from './native-transport.js';
export { WebSocketTransport, type WebSocketTransportOptions } from './websocket-transport.js';
export { EventsTransport, type EventsTransportOptions } from './events-transport.js';
export { TRANSPORT_NAMES, transportNamed, type NamedTransportOptions } from './named-transport.js';
