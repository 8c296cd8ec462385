import type {
  EventBackend,
  EventBackendStats,
  EventMessage,
  MessageHandler,
  SubscribeOptions,
} from '../contracts/events.js';
import type { Logger } from '../contracts/logger.js';
import { fwError } from '../errors/index.js';
import { EVENTS_ERRORS } from './errors.js';
import { atLeast } from './options.js';
import { type DeliveryCounts, Subscription } from './subscription.js';
import { checkTopic, copyPayload } from './message.js';

/** Bounds of the in-memory backend, for each subscription. */
export interface MemoryEventBackendOptions {
  /** Messages that may wait for a slow handler, default 1 024. When full, the oldest is dropped and counted. */
  readonly maxWaiting?: number;
  /** Bytes of payload that may wait, default 16 MiB. */
  readonly maxWaitingBytes?: number;
  /** Gets a line for each handler that fails. */
  readonly log?: Pick<Logger, 'error'>;
}

/**
 * The default {@link EventBackend}: it delivers within this process, keeps no messages for later subscribers, and needs no infrastructure
 * (SPEC "Events", 2).
 */
export class MemoryEventBackend implements EventBackend {
  readonly name = 'memory';
  readonly replays = false;
  readonly #topics = new Map<string, Set<Subscription>>();
  readonly #options: Required<Omit<MemoryEventBackendOptions, 'log'>> & Pick<MemoryEventBackendOptions, 'log'>;
  readonly #counts: DeliveryCounts = { delivered: 0, failed: 0, dropped: 0 };
  #published = 0;
  #closing: Promise<void> | undefined;

  /** @throws FwError `FW_EVENTS_OPTION` */
  constructor(options: MemoryEventBackendOptions = {}) {
    this.#options = { maxWaiting: 1_024, maxWaitingBytes: 16 << 20, ...options };
    atLeast(this.#options, 'maxWaiting', 1);
    atLeast(this.#options, 'maxWaitingBytes', 1);
  }

  async publish(topic: string, payload: Uint8Array, meta: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#check(topic, 'published');
    // Copied before the first await, because the publisher may reuse its buffer.
    const copy = copyPayload(payload);
    this.#published++;
    const subscriptions = this.#topics.get(topic);
    if (!subscriptions) return;
    const message: EventMessage = { topic, payload: copy, meta: Object.freeze({ ...meta }) };
    for (const subscription of subscriptions) subscription.add(message);
  }

  async subscribe(
    topic: string,
    handler: MessageHandler,
    { from = 'new' }: SubscribeOptions = {},
  ): Promise<() => Promise<void>> {
    this.#check(topic, 'subscribed to');
    if (from === 'earliest') throw fwError(EVENTS_ERRORS.FW_EVENTS_NO_REPLAY, { backend: this.name, topic });
    const subscription = new Subscription(handler, this.#options, this.#counts);
    const subscriptions = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, subscriptions.add(subscription));
    return async () => this.#cancel(topic, subscription);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#drain());
  }

  stats(): EventBackendStats {
    const live = this.#live();
    const waiting = live.reduce((total, { subscription }) => total + subscription.waiting, 0);
    return { subscriptions: live.length, published: this.#published, ...this.#counts, waiting };
  }

  async #drain(): Promise<void> {
    const live = this.#live();
    await Promise.all(live.map(({ subscription }) => subscription.idle()));
    for (const { topic, subscription } of live) this.#cancel(topic, subscription);
  }

  #cancel(topic: string, subscription: Subscription): void {
    const subscriptions = this.#topics.get(topic);
    if (!subscriptions?.delete(subscription)) return;
    if (subscriptions.size === 0) this.#topics.delete(topic);
    subscription.clear();
  }

  #live(): readonly { readonly topic: string; readonly subscription: Subscription }[] {
    return [...this.#topics].flatMap(([topic, all]) => [...all].map((subscription) => ({ topic, subscription })));
  }

  #check(topic: string, what: string): void {
    checkTopic(topic);
    if (this.#closing) throw fwError(EVENTS_ERRORS.FW_EVENTS_BACKEND_CLOSED, { backend: this.name, what, topic });
  }
}
