import { type EmitResult, type ListenerErrorPolicy, STOP_PROPAGATION } from '../contracts/events.js';
import type { Clock } from '../contracts/clock.js';
import { isYes } from '../contracts/callbacks.js';
import { isThenable } from '../contracts/thenable.js';
import type { Channel, Registration } from './channel.js';

const NO_ERRORS: readonly unknown[] = Object.freeze([]);

/** The part of the bus that a dispatch uses. */
export interface DispatchOwner {
  readonly clock: Clock;
  removeOnce(channel: Channel, registration: Registration): void;
  failed(channel: Channel, registration: Registration, error: unknown): void;
}

/**
 * Calls the listeners for one event. It runs synchronously up to the first listener that returns a promise, so that synchronous listeners
 * cost no turn of the microtask queue.
 */
export class Dispatch implements EmitResult {
  called = 0;
  filtered = 0;
  stopped = false;
  errors: readonly unknown[] = NO_ERRORS;
  /** The error that `emit` is rejected with, under the policy `throw`. */
  fatal: { readonly error: unknown } | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly #began: number;
  readonly #registrations: readonly Registration[];
  #next = 0;

  constructor(
    private readonly owner: DispatchOwner,
    readonly channel: Channel,
    readonly payload: unknown,
    private readonly onError: ListenerErrorPolicy,
  ) {
    this.at = owner.clock.now();
    this.#began = owner.clock.monotonic();
    this.#registrations = channel.registrations;
  }

  /** Milliseconds from its beginning until now. */
  elapsedMs(): number {
    return this.owner.clock.monotonic() - this.#began;
  }

  /** Calls the listeners. @returns a promise when one of them has to be waited for, undefined when all is done */
  run(): Promise<void> | undefined {
    const pending = this.#advance();
    return pending && this.#finish(pending);
  }

  // Calls listeners until one has to be waited for.
  #advance(): PromiseLike<unknown> | undefined {
    while (this.#next < this.#registrations.length) {
      const outcome = this.#call(this.#registrations[this.#next++] as Registration);
      if (isThenable(outcome)) return outcome;
      if (outcome === STOP_PROPAGATION) this.#stop();
    }
    return undefined;
  }

  async #finish(first: PromiseLike<unknown>): Promise<void> {
    for (let pending: PromiseLike<unknown> | undefined = first; pending; pending = this.#advance()) {
      const waitedFor = this.#registrations[this.#next - 1] as Registration;
      try {
        if ((await pending) === STOP_PROPAGATION) this.#stop();
      } catch (error) {
        this.#fail(waitedFor, error);
      }
    }
  }

  #call(registration: Registration): unknown {
    if (!registration.active) return undefined;
    try {
      const { filter, listener } = registration;
      if (filter && !isYes('filter of an event listener', filter(this.payload as never))) {
        this.filtered++;
        return undefined;
      }
      if (registration.once) this.owner.removeOnce(this.channel, registration);
      this.called++;
      return listener(this.payload as never, this.channel.name as never);
    } catch (error) {
      this.#fail(registration, error);
      return undefined;
    }
  }

  #stop(): void {
    this.stopped = true;
    this.#next = this.#registrations.length;
  }

  #fail(registration: Registration, error: unknown): void {
    this.errors = [...this.errors, error];
    this.owner.failed(this.channel, registration, error);
    if (this.onError === 'continue') return;
    if (this.onError === 'throw') this.fatal ??= { error };
    this.#next = this.#registrations.length;
  }
}
