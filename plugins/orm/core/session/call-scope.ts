import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Tells from inside of whose function a call is made, through whatever it awaits.
 *
 * Following calls makes every `await` of the process dearer (https://nodejs.org/docs/latest-v20.x/api/async_hooks.html), so it
 * is switched on by the first function of a turn of the event loop, and off again when none is running at the end of one.
 */
export class CallScope<Owner> {
  readonly #storage = new AsyncLocalStorage<Owner>();
  #running = 0;
  #isEnding = false;

  /** Whose function the call is made from; undefined also for what runs on when no function is running any more. */
  get owner(): Owner | undefined {
    return this.#running === 0 ? undefined : this.#storage.getStore();
  }

  /** Runs a function; {@link end} has to follow once. */
  run<Argument, Result>(owner: Owner, fn: (argument: Argument) => Result, argument: Argument): Result {
    this.#running++;
    return this.#storage.run(owner, fn, argument);
  }

  /** One of the functions, and what it waited for, has come to its end. */
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
