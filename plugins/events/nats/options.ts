import type { Logger } from '../../../kernel/index.js';
import { fwError } from '../../../kernel/index.js';
import { NATS_ERRORS } from './errors.js';

/** Configuration of the NATS backend (SPEC "Events", 2: `Brokers` and `GroupID`). */
export interface NatsBackendOptions {
  /** Servers, each `host:port`. */
  readonly brokers: readonly string[];
  /** Who reads: a restarted reader of the same group goes on where the last one stopped. */
  readonly groupId: string;
  /** Name of the stream that keeps the messages; default `fw`. Its subjects begin with the same word. */
  readonly stream?: string;
  /** Bytes that the stream keeps; then the oldest go. Default 256 MiB. An existing stream is raised to it, never lowered. */
  readonly maxBytes?: number;
  /** Milliseconds that the stream keeps a message. Default a day. An existing stream is raised to it, never lowered. */
  readonly maxAge?: number;
  /**
   * Milliseconds after which a delivered message without acknowledgement is delivered again: the messages of a killed reader wait this
   * long. Default 30 s; a handler that takes longer sees its message twice.
   */
  readonly ackWait?: number;
  readonly log?: Pick<Logger, 'warn' | 'error'>;
}

const NAME = /^[\w-]{1,100}$/;

/** @throws FwError `FW_NATS_OPTION` */
export function checkedOptions(options: NatsBackendOptions): NatsBackendOptions &
  Required<Pick<NatsBackendOptions, 'stream' | 'maxBytes' | 'maxAge' | 'ackWait'>> & {
    /** Limits that the options name, without defaults. */
    readonly asked: Pick<NatsBackendOptions, 'maxBytes' | 'maxAge'>;
  } {
  const { brokers, groupId, stream = 'fw' } = options;
  const { maxBytes = 256 * 1024 * 1024, maxAge = 86_400_000, ackWait = 30_000 } = options;
  const isAddress = (broker: unknown) =>
    typeof broker === 'string' && /^[^\s:/]+:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i.test(broker);
  if (!Array.isArray(brokers) || brokers.length === 0 || !brokers.every(isAddress)) {
    throw fwError(NATS_ERRORS.FW_NATS_OPTION, { option: 'brokers', expected: 'a list of host:port, at least one' });
  }
  for (const [option, value] of Object.entries({ groupId, stream })) {
    if (typeof value === 'string' && NAME.test(value)) continue;
    throw fwError(NATS_ERRORS.FW_NATS_OPTION, { option, expected: 'letters, digits, - and _, up to 100' });
  }
  for (const [option, value] of Object.entries({ maxBytes, maxAge, ackWait })) {
    if (Number.isSafeInteger(value) && value >= 1) continue;
    throw fwError(NATS_ERRORS.FW_NATS_OPTION, { option, expected: 'a whole number of at least 1' });
  }
  const asked: { maxBytes?: number; maxAge?: number } = {};
  if (options.maxBytes !== undefined) asked.maxBytes = maxBytes;
  if (options.maxAge !== undefined) asked.maxAge = maxAge;
  return { ...options, stream, maxBytes, maxAge, ackWait, asked };
}
