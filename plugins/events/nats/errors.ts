import { defineErrors } from '../../../kernel/index.js';

/** Codes of the NATS backend. */
export const NATS_ERRORS = defineErrors('events/nats', {
  FW_NATS_OPTION: {
    message: 'The NATS backend needs {option}: expected {expected}.',
    cause: 'brokers is empty or groupId is missing or has characters that a consumer name cannot have.',
    remedy: 'Give at least one host:port and a groupId of letters, digits, - and _.',
  },
  FW_NATS_CONNECT: {
    message:
      'No NATS server answers at {brokers}: {reason}. Expected a server with JetStream switched on (nats-server -js).',
    status: 503,
    cause: 'The server is down, the address is wrong, or JetStream is off.',
    remedy: 'Start nats-server -js, or correct brokers.',
    guide: 'events.md#to-other-processes',
  },
  FW_NATS_STREAM: {
    message: 'The NATS stream {stream} is there already, for {subjects} and not for {expected}.',
    status: 503,
    cause: 'Somebody made a stream of that name for something else.',
    remedy: 'Give the option stream another name, or add the subject to the stream.',
  },
});
