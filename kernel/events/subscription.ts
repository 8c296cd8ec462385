import { runInRequestContext } from '../context/index.js';
import type { EventMessage, MessageHandler } from '../contracts/events.js';
import type { Logger } from '../contracts/logger.js';

/** Bounds of the waiting messages. */
interface SubscriptionLimits {
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  readonly log?: Pick<Logger, 'error'> | undefined;
}

/** Counts of messages by outcome. */
export interface DeliveryCounts {
  delivered: number;
  failed: number;
  dropped: number;
}

/** Messages that are delivered in a row before the event loop gets to I/O. */
const AT_A_TIME = 64;

/** Hands messages to one handler, one at a time, outside the publisher's call. Drops the oldest when too many wait. */
export class Subscription {
  readonly #waiting: EventMessage[] = [];
  #bytes = 0;
  #work: Promise<void> | undefined;

  constructor(
    private readonly handler: MessageHandler,
    private readonly limits: SubscriptionLimits,
    private readonly counts: DeliveryCounts,
  ) {}

  get waiting(): number {
    return this.#waiting.length;
  }

  add(message: EventMessage): void {
    this.#waiting.push(message);
    this.#bytes += message.payload.length;
    while (this.#isTooMuch()) {
      this.#take();
      this.counts.dropped++;
    }
    // Without a request context: otherwise all messages would be handled in the context of the request that published the first.
    this.#work ??= runInRequestContext(undefined, () => this.#deliver());
  }

  /** Drops the waiting messages. The handler keeps the message that it is working on. */
  clear(): void {
    this.counts.dropped += this.#waiting.length;
    this.#waiting.length = 0;
    this.#bytes = 0;
  }

  /** Resolves when nothing waits and the handler is done. */
  async idle(): Promise<void> {
    while (this.#work) await this.#work;
  }

  async #deliver(): Promise<void> {
    for (let handed = 0; this.#waiting.length > 0 || handed === 0; handed++) {
      if (handed % AT_A_TIME === 0) await new Promise(setImmediate);
      const message = this.#take();
      if (message) await this.#hand(message);
    }
    this.#work = undefined;
  }

  async #hand(message: EventMessage): Promise<void> {
    try {
      await this.handler(message);
      this.counts.delivered++;
    } catch (error) {
      this.counts.failed++;
      this.limits.log?.error({ topic: message.topic, err: error }, `A subscriber of ${message.topic} failed.`);
    }
  }

  // One message is always taken, however large it is.
  #isTooMuch(): boolean {
    const { maxWaiting, maxWaitingBytes } = this.limits;
    return this.#waiting.length > maxWaiting || (this.#bytes > maxWaitingBytes && this.#waiting.length > 1);
  }

  #take(): EventMessage | undefined {
    const message = this.#waiting.shift();
    if (message) this.#bytes -= message.payload.length;
    return message;
  }
}
