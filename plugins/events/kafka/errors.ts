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
    cause: 'The broker is down, the address is wrong, or the broker refuses what was asked.',
    remedy:
      'Start the broker, or correct brokers; of a group that may not be read, give the rights or another groupId.',
    guide: 'events.md#to-other-processes',
  },
});
