/**
 * Lets work begin one piece per turn of the event loop. Batches of spans block the loop for milliseconds each; a reader waits for one of
 * them, not for all that have arrived.
 */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isTurning = false;

  /** Resolves when the caller's turn has come. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#isTurning) return;
      this.#isTurning = true;
      setImmediate(() => this.#turn());
    });
  }

  #turn(): void {
    this.#waiting.shift()?.();
    this.#isTurning = this.#waiting.length > 0;
    if (this.#isTurning) setImmediate(() => this.#turn());
  }
}
