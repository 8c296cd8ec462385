import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Tells which owner's function a call is made from, even after an await.
 *
 * Tracking calls slows every `await` of the process (https://nodejs.org/docs/latest-v20.x/api/async_hooks.html), so it is switched on by
 * the first function of a turn of the event loop, and off again when none is running at the end of one.
 */
export class CallScope<Owner> {
  readonly #storage = new AsyncLocalStorage<Owner>();
  #running = 0;
  #isEnding = false;

  /** Owner of the function that the call is made from; also undefined for code that runs on after all functions have ended. */
  get owner(): Owner | undefined {
    return this.#running === 0 ? undefined : this.#storage.getStore();
  }

  /** Runs a function; {@link end} has to follow once. */
  run<Argument, Result>(owner: Owner, fn: (argument: Argument) => Result, argument: Argument): Result {
    this.#running++;
    return this.#storage.run(owner, fn, argument);
  }

  /** Marks the end of one function, including what it awaited. */
  end(): void {
    this.#running--;
    if (this.#running > 0 || this.#isEnding) return;
    this.#isEnding = true;
    setImmediate(() => {
      this.#isEnding = false;
      if (this.#running === 0) this.#storage.disable();
    }).unref();
  }
}
