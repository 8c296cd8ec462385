import { defineErrors } from '../../../kernel/index.js';

/** Codes of the Kafka backend. */
export const KAFKA_ERRORS = defineErrors('events/kafka', {
  FW_KAFKA_OPTION: {
    message: 'The Kafka backend needs {option}: expected {expected}.',
    cause: 'brokers is empty or malformed, or groupId is missing.',
    remedy: 'Give at least one host:port and a groupId of letters, digits, ., - and _.',
  },
  FW_KAFKA_CONNECT: {
    message: 'No Kafka broker answers at {brokers}: {reason}.',
    status: 503,
    cause: 'The broker is down or the address is wrong.',
    remedy: 'Start the broker, or correct brokers.',
    guide: 'events.md#to-other-processes',
  },
});
