import { defineErrors } from '../../../kernel/index.js';

/** Codes of the span transports. */
export const TRANSPORT_ERRORS = defineErrors('fleet/transports', {
  FW_FLEET_TRANSPORT_ADDRESS: {
    message: 'The aggregator URL {url} cannot be used: {reason}. Expected the mount, e.g. http://127.0.0.1:9000/fleet.',
    cause: "aggregatorURL or aggregatorWSURL is not an absolute URL of the transport's scheme.",
    remedy: 'Give scheme, host, port and base path of the aggregator.',
  },
  FW_FLEET_TRANSPORT_UNKNOWN: {
    message: 'There is no span transport named {name}. Expected one of: {known}.',
    cause: 'The option transport names something else.',
    remedy: 'Use one of the names, or pass an object with exportSpans and exportHeartbeat.',
  },
  FW_FLEET_TRANSPORT_PLANNED: {
    message: 'The span transport rpc is planned, not implemented. Use http instead.',
    cause: 'The option transport is "rpc".',
    remedy: 'Use http, events, native or websocket.',
  },
  FW_FLEET_EXPORT_REFUSED: {
    message: 'The aggregator answered {status} to an export of {what}. {advice}',
    cause: 'The aggregator refused the batch: wrong token, malformed or too large.',
    remedy: 'Compare ingestToken on both sides; 400 and 413 drop the batch, other answers are tried again.',
  },
  FW_FLEET_EXPORT_FAILED: {
    message: 'The aggregator at {address} could not be reached: {reason}.',
    cause: 'Nothing listens there, the network is down, or the export took longer than exportTimeout.',
    remedy: 'Start the aggregator; spans are kept and tried again up to eight times.',
    guide: 'fleet.md#when-spans-are-missing',
  },
});
