import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Tells whether a call is made from inside the function of the open transaction, through whatever it awaits.
 *
 * Following calls makes every `await` of the process dearer (https://nodejs.org/docs/latest-v20.x/api/async_hooks.html), so it
 * is switched on by the first transaction of a turn of the event loop, and off again when none is open at the end of one.
 */
export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<object>();
  #open: object | undefined;
  #isEnding = false;

  /** Whether the call belongs to the transaction that is open now. */
  get isInside(): boolean {
    return this.#open !== undefined && this.#storage.getStore() === this.#open;
  }

  /** Runs the function of a transaction. */
  run<Argument, Result>(transaction: object, fn: (argument: Argument) => Result, argument: Argument): Result {
    this.#open = transaction;
    return this.#storage.run(transaction, fn, argument);
  }

  /** The transaction is over; what its function left running is outside from then on. */
  end(): void {
    if (this.#open === undefined) return;
    this.#open = undefined;
    if (this.#isEnding) return;
    this.#isEnding = true;
    setImmediate(() => {
      this.#isEnding = false;
      if (this.#open === undefined) this.#storage.disable();
    }).unref();
  }
}
