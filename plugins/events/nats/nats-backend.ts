import { createHash, randomBytes } from 'node:crypto';
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  type JetStreamClient,
  type JetStreamManager,
  jetstreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { connect, headers, type NatsConnection } from '@nats-io/transport-node';
import { fwError, isFwError } from '../../../kernel/index.js';
import { checkTopic, copyPayload, EVENTS_ERRORS } from '../../../kernel/events/index.js';
import type {
  EventBackend,
  EventBackendStats,
  MessageHandler,
  SubscribeOptions,
} from '../../../kernel/contracts/events.js';
import { ensureStream } from './ensure-stream.js';
import { NATS_ERRORS } from './errors.js';
import { checkedOptions, type NatsBackendOptions } from './options.js';
import { Presence } from './presence.js';

/** Header that carries the meta of a message, as base64url of JSON: NATS headers take less than meta may hold. */
const META = 'fw-meta';
/** Milliseconds for connecting and for each request. */
const TIMEOUT_MS = 5_000;
/** Milliseconds after which an unused consumer is deleted. */
const FORGET_CONSUMER_MS = 7 * 86_400_000;
/** Messages that are fetched ahead. */
const FETCH_AHEAD = 200;

interface Connected {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly presence: Presence;
}

interface Subscription {
  /** Its topic and number, which are in the name of its consumer. */
  readonly slot: string;
  readonly messages: ConsumerMessages;
  readonly done: Promise<unknown>;
  ended: boolean;
}

/**
 * Keeps messages in a JetStream stream. Each subscription is a durable consumer of the group: it is acknowledged after its handler, so that
 * a restarted reader misses no message that the stream still has. A message may come twice.
 */
export class NatsBackend implements EventBackend {
  readonly name = 'nats';
  readonly replays = true;
  readonly #options: ReturnType<typeof checkedOptions>;
  readonly #subscriptions = new Set<Subscription>();
  /** Of every subscription, from before its consumer is asked for: two that begin at the same time must not share one. */
  readonly #slots = new Set<string>();
  #connected: Promise<Connected> | undefined;
  #closing: Promise<void> | undefined;
  #published = 0;
  #delivered = 0;
  #failed = 0;

  /** @throws FwError `FW_NATS_OPTION` */
  constructor(options: NatsBackendOptions) {
    this.#options = checkedOptions(options);
  }

  async publish(topic: string, payload: Uint8Array, meta: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#check(topic, 'published');
    // Copied before the first await, because the publisher may reuse its buffer.
    const copy = copyPayload(payload);
    const header = headers();
    header.set(META, Buffer.from(JSON.stringify(meta)).toString('base64url'));
    const { client } = await this.#connection();
    const publishing = client.publish(this.#subject(topic), copy, { headers: header, timeout: TIMEOUT_MS });
    await publishing.catch((cause: unknown) => {
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
    const connected = await this.#connection();
    return this.#subscribe(connected, topic, handler, from).catch((cause: unknown) => {
      throw this.#unreachable(cause);
    });
  }

  async #subscribe(
    connected: Connected,
    topic: string,
    handler: MessageHandler,
    from: NonNullable<SubscribeOptions['from']>,
  ): Promise<() => Promise<void>> {
    const slot = this.#takeSlot(topic);
    try {
      return this.#begin(topic, slot, await this.#messagesOf(connected, topic, slot, from), handler);
    } catch (error) {
      this.#slots.delete(slot);
      throw error;
    }
  }

  async #messagesOf(
    { connection, client }: Connected,
    topic: string,
    slot: string,
    from: NonNullable<SubscribeOptions['from']>,
  ): Promise<ConsumerMessages> {
    const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
    const { stream, ackWait } = this.#options;
    const { durable, isKnown } = await this.#consumerOf(topic, slot, manager);
    const settings = { ack_wait: ackWait * 1e6, inactive_threshold: FORGET_CONSUMER_MS * 1e6 };
    if (isKnown) await manager.consumers.update(stream, durable, settings);
    else {
      await manager.consumers.add(stream, {
        durable_name: durable,
        filter_subject: this.#subject(topic),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: from === 'earliest' ? DeliverPolicy.All : DeliverPolicy.New,
        ...settings,
      });
    }
    const consumer = await client.consumers.get(stream, durable);
    return consumer.consume({ max_messages: FETCH_AHEAD });
  }

  // Consumers have no dots in their names, so that topics such as `a.b` and `a_b`, and groups such as `a` and `a-b`, can meet in one name. A
  // consumer of another topic is told by its subject; those of topics with an underscore have a digest in the name, unless they are there
  // without one, from a release that had none: a group goes on where it stopped.
  async #consumerOf(topic: string, slot: string, manager: JetStreamManager) {
    const { stream, groupId } = this.#options;
    const plain = `${groupId}-${slot.replaceAll('.', '_')}`;
    const own = `${plain}-${createHash('sha256').update(topic).digest('hex').slice(0, 16)}`;
    const subjectOf = async (name: string) => (await manager.consumers.info(stream, name)).config.filter_subject;
    const [ofPlain, ofOwn] = await Promise.all([plain, own].map((name) => subjectOf(name).catch(() => undefined)));
    const subject = this.#subject(topic);
    if (ofPlain === subject || ofOwn === subject) return { durable: ofPlain === subject ? plain : own, isKnown: true };
    const isPlainTaken = ofPlain !== undefined || topic.includes('_');
    return { durable: isPlainTaken ? own : plain, isKnown: false };
  }

  /** Succeeds when the server answers. @throws FwError `FW_NATS_CONNECT` */
  async ping(): Promise<void> {
    const { connection } = await this.#connection();
    await connection.flush().catch((cause: unknown) => {
      throw this.#unreachable(cause);
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  stats(): EventBackendStats {
    const counts = { published: this.#published, delivered: this.#delivered, failed: this.#failed };
    return { subscriptions: this.#subscriptions.size, ...counts, dropped: 0, waiting: 0 };
  }

  /** Other readers of the same group that were heard of lately. More than none means that messages are shared out. */
  async rivals(): Promise<number> {
    return (await this.#connection()).presence.rivals;
  }

  #begin(topic: string, slot: string, messages: ConsumerMessages, handler: MessageHandler): () => Promise<void> {
    let inHandler = false;
    const reading = this.#read(messages, async (message) => {
      if (subscription.ended) return false;
      inHandler = true;
      await this.#handle(topic, message, handler);
      inHandler = false;
      return true;
    });
    // Not awaited until the subscription ends.
    const done = reading.catch((err: unknown) => this.#options.log?.error({ err, topic }, 'a subscription has ended'));
    const subscription: Subscription = { slot, messages, ended: false, done };
    this.#subscriptions.add(subscription);
    return async () => {
      const isOwnHandler = inHandler;
      await this.#end(subscription, isOwnHandler);
    };
  }

  async #read(messages: ConsumerMessages, take: (message: JsMsg) => Promise<boolean>): Promise<void> {
    for await (const message of messages) {
      if (await take(message)) message.ack();
      else message.nak();
    }
  }

  async #handle(topic: string, message: JsMsg, handler: MessageHandler): Promise<void> {
    try {
      // Messages of other writers may lack the header.
      const text = Buffer.from(message.headers?.get(META) || 'e30', 'base64url').toString();
      const meta = Object.freeze(JSON.parse(text) as Record<string, string>);
      await handler({ topic, payload: message.data, meta });
      this.#delivered++;
    } catch (err) {
      this.#failed++;
      this.#options.log?.error({ err, topic }, 'a handler of an event message failed');
    }
  }

  // A handler that ends its own subscription must not wait for itself.
  async #end(subscription: Subscription, fromHandler: boolean): Promise<void> {
    if (subscription.ended) return;
    subscription.ended = true;
    this.#subscriptions.delete(subscription);
    this.#slots.delete(subscription.slot);
    const closed = subscription.messages.close();
    if (fromHandler) return;
    await closed;
    await subscription.done;
  }

  async #close(): Promise<void> {
    const connected = await this.#connected?.catch(() => undefined);
    await Promise.all([...this.#subscriptions].map((subscription) => this.#end(subscription, false)));
    connected?.presence.close();
    await connected?.connection.drain();
  }

  #connection(): Promise<Connected> {
    this.#connected ??= this.#connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }

  async #connect(): Promise<Connected> {
    const { brokers, stream, groupId, log } = this.#options;
    let connection: NatsConnection | undefined;
    try {
      connection = await connect({
        servers: [...brokers],
        timeout: TIMEOUT_MS,
        maxReconnectAttempts: -1,
        name: `fw ${groupId}`,
      });
      const manager = await jetstreamManager(connection, { timeout: TIMEOUT_MS });
      await ensureStream(manager, this.#options);
    } catch (cause) {
      await connection?.close();
      throw this.#unreachable(cause);
    }
    const presence = new Presence(connection, `${stream}-presence.${groupId}`, randomBytes(8).toString('hex'), () =>
      log?.warn({ groupId }, 'another reader of the same group is there: each message reaches only one of them'),
    );
    return { connection, client: jetstream(connection, { timeout: TIMEOUT_MS }), presence };
  }

  #unreachable(cause: unknown) {
    if (isFwError(cause)) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fwError(NATS_ERRORS.FW_NATS_CONNECT, { brokers: this.#options.brokers, reason }, { cause });
  }

  #takeSlot(topic: string): string {
    let number = 1;
    while (this.#slots.has(`${topic}-${number}`)) number++;
    this.#slots.add(`${topic}-${number}`);
    return `${topic}-${number}`;
  }

  #subject(topic: string): string {
    return `${this.#options.stream}.${topic}`;
  }

  #check(topic: string, what: string): void {
    checkTopic(topic);
    if (this.#closing) throw fwError(EVENTS_ERRORS.FW_EVENTS_BACKEND_CLOSED, { backend: this.name, what, topic });
  }
}
