import type { NatsConnection } from '@nats-io/transport-node';
import { monotonicMs } from '../../../kernel/contracts/clock.js';

/** Interval of a reader's announcements, and how long each is valid, in milliseconds. */
const EVERY_MS = 5_000;
const BELIEVED_MS = 3 * EVERY_MS;

/** Lets readers of one group detect each other, because two of them would share the messages unknowingly. */
export class Presence {
  readonly #others = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly connection: NatsConnection,
    private readonly subject: string,
    private readonly instance: string,
    private readonly onRival: () => void,
  ) {
    connection.subscribe(subject, { callback: (error, message) => void (error ?? this.#hear(message.string())) });
    this.#timer = setInterval(() => this.#say(), EVERY_MS).unref();
    this.#say();
  }

  /** Other readers that were heard of lately. */
  get rivals(): number {
    return [...this.#others.values()].filter((at) => monotonicMs() - at <= BELIEVED_MS).length;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #say(): void {
    if (!this.connection.isClosed()) this.connection.publish(this.subject, this.instance);
  }

  #hear(instance: string): void {
    if (instance === this.instance) return;
    const isNew = this.rivals === 0;
    this.#others.delete(instance);
    // The longest silent reader is evicted, because instances come and go over months.
    if (this.#others.size >= 100) this.#others.delete(this.#others.keys().next().value as string);
    this.#others.set(instance, monotonicMs());
    if (!isNew) return;
    this.onRival();
    // Answers at once, so that the new reader need not wait for the next interval.
    this.#say();
  }
}
