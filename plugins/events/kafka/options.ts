import { fwError, type Logger } from '../../../kernel/index.js';
import { KAFKA_ERRORS } from './errors.js';

/** Configuration of the Kafka backend (SPEC "Events", 2: `Brokers` and `GroupID`). */
export interface KafkaBackendOptions {
  /** Brokers, each `host:port`. */
  readonly brokers: readonly string[];
  /** Consumer group: a restarted reader of the same group goes on at its committed offsets. */
  readonly groupId: string;
  readonly log?: Pick<Logger, 'warn' | 'error'>;
}

const ADDRESS = /^[^\s:/]+:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i;

/** @throws FwError `FW_KAFKA_OPTION` */
export function checkOptions({ brokers, groupId }: KafkaBackendOptions): void {
  const areAddresses =
    Array.isArray(brokers) && brokers.every((each) => typeof each === 'string' && ADDRESS.test(each));
  if (!areAddresses || brokers.length === 0) {
    throw fwError(KAFKA_ERRORS.FW_KAFKA_OPTION, { option: 'brokers', expected: 'a list of host:port, at least one' });
  }
  if (typeof groupId === 'string' && /^[\w.-]{1,200}$/.test(groupId)) return;
  throw fwError(KAFKA_ERRORS.FW_KAFKA_OPTION, {
    option: 'groupId',
    expected: 'letters, digits, ., - and _, up to 200',
  });
}
