import { createRequire } from 'node:module';
import type * as KafkaJs from 'kafkajs';
import type { Consumer, EachMessagePayload, Kafka, Producer } from 'kafkajs';
import { fwError } from '../../../kernel/index.js';
import { checkTopic, copyPayload, EVENTS_ERRORS } from '../../../kernel/events/index.js';
import {
  type EventBackend,
  type EventBackendStats,
  type EventMessage,
  MESSAGE_KEY,
  type MessageHandler,
  type SubscribeOptions,
} from '../../../kernel/contracts/events.js';
import { KAFKA_ERRORS } from './errors.js';
import { checkOptions, type KafkaBackendOptions } from './options.js';

// CommonJS, and large: loaded when a backend is made.
const require = createRequire(import.meta.url);

/** Prefix of record headers that carry meta; values are bytes, so that nothing needs escaping. */
const META = 'fw-';
/**
 * Milliseconds without a heartbeat after which the broker takes a reader for dead and gives its partitions to the next: a restart after a
 * crash waits this long. A handler may take longer.
 */
const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 2_000;
const RETRY = { initialRetryTime: 100, retries: 5, maxRetryTime: 5_000 } as const;

interface Subscription {
  readonly topic: string;
  readonly ordinal: number;
  readonly consumer: Consumer;
  ended: boolean;
  /** True while the handler runs: if it ends its own subscription, that must not wait for the handler. */
  inHandler: boolean;
}

/**
 * Keeps messages in Kafka topics of their own names. Records with the same key stay in order. Offsets are committed after the handler, so
 * that a restarted reader misses no message that the broker still has; a message may come twice.
 */
export class KafkaBackend implements EventBackend {
  readonly name = 'kafka';
  readonly replays = true;
  readonly #kafka: Kafka;
  readonly #subscriptions = new Set<Subscription>();
  #producer: Promise<Producer> | undefined;
  #closing: Promise<void> | undefined;
  #published = 0;
  #delivered = 0;
  #failed = 0;

  /** @throws FwError `FW_KAFKA_OPTION` */
  constructor(private readonly options: KafkaBackendOptions) {
    checkOptions(options);
    const { Kafka: Client, logLevel } = require('kafkajs') as typeof KafkaJs;
    const { brokers, groupId } = options;
    this.#kafka = new Client({
      clientId: `fw-${groupId}`,
      brokers: [...brokers],
      logLevel: logLevel.NOTHING,
      retry: RETRY,
    });
  }

  async publish(topic: string, payload: Uint8Array, meta: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#check(topic, 'published');
    // Copied before the first await, because the publisher may reuse its buffer.
    const value = Buffer.from(copyPayload(payload));
    const headers = Object.fromEntries(Object.entries(meta).map(([name, text]) => [META + name, Buffer.from(text)]));
    const key = meta[MESSAGE_KEY] ?? null;
    const producer = await this.#connectedProducer();
    await producer.send({ topic, acks: -1, messages: [{ key, value, headers }] }).catch((cause: unknown) => {
      throw this.#unreachable(cause);
    });
    this.#published++;
  }

  async subscribe(
    topic: string,
    handler: MessageHandler,
    { from = 'new' }: SubscribeOptions = {},
  ): Promise<() => Promise<void>> {
    this.#check(topic, 'subscribed to');
    const ordinal = this.#freeOrdinal(topic);
    const groupId = `${this.options.groupId}-${topic}-${ordinal}`;
    const consumer = this.#kafka.consumer({
      groupId,
      retry: RETRY,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      maxWaitTimeInMs: 100,
      allowAutoTopicCreation: true,
    });
    const subscription: Subscription = { topic, ordinal, consumer, ended: false, inHandler: false };
    this.#subscriptions.add(subscription);
    try {
      await this.#run(subscription, handler, from === 'earliest');
      this.#check(topic, 'subscribed to');
    } catch (cause) {
      subscription.ended = true;
      this.#subscriptions.delete(subscription);
      // Else the reader would go on, with nobody to end it.
      await consumer.disconnect().catch(() => undefined);
      // Of a backend that was closed in the meantime, that is the reason.
      this.#check(topic, 'subscribed to');
      throw this.#unreachable(cause);
    }
    return () => this.#end(subscription);
  }

  /** Succeeds when a broker answers. @throws FwError `FW_KAFKA_CONNECT` */
  async ping(): Promise<void> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      await admin.describeCluster();
    } catch (cause) {
      throw this.#unreachable(cause);
    } finally {
      await admin.disconnect();
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  stats(): EventBackendStats {
    const counts = { published: this.#published, delivered: this.#delivered, failed: this.#failed };
    return { subscriptions: this.#subscriptions.size, ...counts, dropped: 0, waiting: 0 };
  }

  async #run(subscription: Subscription, handler: MessageHandler, fromBeginning: boolean): Promise<void> {
    const { consumer, topic } = subscription;
    const partitions = await this.#partitionsOf(topic);
    const joined = new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        resolve();
        // The only reader of a group has every partition.
        if ((payload.memberAssignment[topic] ?? []).length < partitions) this.#warnOfRival();
      });
      // A broker that refuses the group is told by this event alone: `run` succeeds all the same.
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart) reject(payload.error);
      });
      consumer.on(consumer.events.DISCONNECT, () => {
        if (subscription.ended) reject(new Error('the backend was closed'));
      });
    });
    joined.catch(() => undefined); // it may be refused before it is awaited
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    // Without a committed offset, a reader of new messages begins after the last existing one.
    const start = fromBeginning ? [] : await this.#uncommittedEnds(subscription);
    await consumer.run({
      partitionsConsumedConcurrently: 1,
      eachMessage: (record) => this.#take(subscription, record, handler),
    });
    await joined;
    for (const { partition, offset } of start) consumer.seek({ topic, partition, offset });
  }

  async #take(
    subscription: Subscription,
    { message, topic, heartbeat }: EachMessagePayload,
    handler: MessageHandler,
  ): Promise<void> {
    // The exception marks the record as not read, so that its offset is not committed.
    if (subscription.ended)
      throw fwError(EVENTS_ERRORS.FW_EVENTS_BACKEND_CLOSED, { backend: this.name, what: 'read', topic });
    subscription.inHandler = true;
    // The client sends heartbeats only between messages.
    const signs = setInterval(
      () => void heartbeat().catch((err: unknown) => this.#onLostSign(err, topic)),
      HEARTBEAT_MS,
    );
    try {
      await handler(messageOf(topic, message));
      this.#delivered++;
    } catch (err) {
      this.#failed++;
      this.options.log?.error({ err, topic }, 'a handler of an event message failed');
    } finally {
      clearInterval(signs);
      subscription.inHandler = false;
    }
  }

  #onLostSign(err: unknown, topic: string): void {
    this.options.log?.warn(
      { err, topic },
      'the broker did not take a sign of life: it may hand this message out again',
    );
  }

  // Creates the topic now, because a message that creates it could be missed before the first read.
  async #partitionsOf(topic: string): Promise<number> {
    await this.#connectedProducer();
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      return topics[0]?.partitions.length ?? 0;
    } finally {
      await admin.disconnect();
    }
  }

  async #uncommittedEnds({
    topic,
    ordinal,
  }: Subscription): Promise<readonly { readonly partition: number; readonly offset: string }[]> {
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      const groupId = `${this.options.groupId}-${topic}-${ordinal}`;
      const [ends, committed] = [
        await admin.fetchTopicOffsets(topic),
        await admin.fetchOffsets({ groupId, topics: [topic] }),
      ];
      const known = new Set(
        committed[0]?.partitions.filter(({ offset }) => Number(offset) >= 0).map(({ partition }) => partition),
      );
      return ends
        .filter(({ partition }) => !known.has(partition))
        .map(({ partition, high }) => ({ partition, offset: high }));
    } finally {
      await admin.disconnect();
    }
  }

  async #end(subscription: Subscription): Promise<void> {
    if (subscription.ended) return;
    subscription.ended = true;
    this.#subscriptions.delete(subscription);
    const gone = subscription.consumer.disconnect();
    if (subscription.inHandler)
      gone.catch((err: unknown) => this.options.log?.warn({ err }, 'a consumer did not leave its group'));
    else await gone;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => this.#end(subscription)));
    const producer = await this.#producer?.catch(() => undefined);
    await producer?.disconnect();
  }

  #connectedProducer(): Promise<Producer> {
    this.#producer ??= this.#connect().catch((cause: unknown) => {
      this.#producer = undefined;
      throw this.#unreachable(cause);
    });
    return this.#producer;
  }

  async #connect(): Promise<Producer> {
    const { Partitioners } = require('kafkajs') as typeof KafkaJs;
    const producer = this.#kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: true,
    });
    await producer.connect();
    return producer;
  }

  #warnOfRival(): void {
    const { groupId, log } = this.options;
    log?.warn({ groupId }, 'another reader of the same group is there: each message reaches only one of them');
  }

  #unreachable(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fwError(KAFKA_ERRORS.FW_KAFKA_CONNECT, { brokers: this.options.brokers, reason }, { cause });
  }

  #freeOrdinal(topic: string): number {
    const taken = new Set(
      [...this.#subscriptions].filter((each) => each.topic === topic).map(({ ordinal }) => ordinal),
    );
    let ordinal = 1;
    while (taken.has(ordinal)) ordinal++;
    return ordinal;
  }

  #check(topic: string, what: string): void {
    checkTopic(topic);
    if (this.#closing) throw fwError(EVENTS_ERRORS.FW_EVENTS_BACKEND_CLOSED, { backend: this.name, what, topic });
  }
}

function messageOf(topic: string, { value, headers = {} }: EachMessagePayload['message']): EventMessage {
  const meta = Object.entries(headers).flatMap(([name, text]): [string, string][] =>
    name.startsWith(META) && text !== undefined ? [[name.slice(META.length), String(text)]] : [],
  );
  return { topic, payload: value ?? new Uint8Array(), meta: Object.freeze(Object.fromEntries(meta)) };
}
