/**
 * Lets work begin one piece per turn of the event loop. Batches of spans keep the loop busy for milliseconds each; whoever
 * reads meanwhile waits for one of them, not for all that have arrived.
 */
export class TurnQueue {
  readonly #waiting: (() => void)[] = [];
  #isTurning = false;

  /** Resolves when it is this piece's turn. */
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
