import { fwError } from '../../../kernel/index.js';
import type { SpanTransport } from '../../../kernel/contracts/fleet.js';
import { TRANSPORT_ERRORS } from './errors.js';
import { EventsTransport, type EventsTransportOptions } from './events-transport.js';
import { HttpTransport } from './http-transport.js';
import { NativeTransport } from './native-transport.js';
import { WebSocketTransport, type WebSocketTransportOptions } from './websocket-transport.js';

/** Options of all transports together. */
export type NamedTransportOptions = EventsTransportOptions & WebSocketTransportOptions;

const MAKERS: Readonly<Record<string, (options: NamedTransportOptions) => SpanTransport>> = {
  http: (options) => new HttpTransport(options),
  events: (options) => new EventsTransport(options),
  native: (options) => new NativeTransport(options),
  websocket: (options) => new WebSocketTransport(options),
};

/** Names of the transports that exist (SPEC "Fleet operations", transport status). */
export const TRANSPORT_NAMES: readonly string[] = Object.keys(MAKERS);

/**
 * The transport of a name.
 * @throws FwError `FW_FLEET_TRANSPORT_PLANNED` for `rpc`, `FW_FLEET_TRANSPORT_UNKNOWN` for any other name
 */
export function transportNamed(name: string, options: NamedTransportOptions): SpanTransport {
  if (name === 'rpc') throw fwError(TRANSPORT_ERRORS.FW_FLEET_TRANSPORT_PLANNED, {});
  const make = Object.hasOwn(MAKERS, name) ? MAKERS[name] : undefined;
  if (make) return make(options);
  throw fwError(TRANSPORT_ERRORS.FW_FLEET_TRANSPORT_UNKNOWN, { name, known: TRANSPORT_NAMES });
}
