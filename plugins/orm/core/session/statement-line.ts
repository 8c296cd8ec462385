import { limitsAfter, withinDeadline, type Limits } from './deadline.js';

/**
 * Statements of one connection, one after the other in the order of the calls: what cancels a statement cancels whatever its
 * connection is doing, and what an error means for a transaction must be known before the next statement is sent. Who gives up
 * while others are before it leaves the line, and nothing is cancelled.
 */
export class StatementLine {
  #isHeld = false;
  readonly #waiting: (() => void)[] = [];
  /** What the holder does as soon as somebody waits for it. */
  #onOthers: (() => void) | undefined;

  /**
   * Runs a statement in its turn.
   *
   * @param start - sends it; never throws, but may give a promise that fails
   * @param limits - of the wait and the statement together
   * @param cancel - ends the statement that is running
   */
  run<Result>(
    start: () => Promise<Result>,
    limits: Limits | undefined,
    cancel: (running: Promise<Result>) => Promise<void>,
  ): Promise<Result> {
    if (this.#isHeld) return this.#runLater(start, limits ?? {}, cancel);
    this.#isHeld = true;
    return this.#runNow(start, limits, cancel);
  }

  /**
   * Waits for the turn of what {@link leave} has to end.
   *
   * @param onOthers - called once somebody waits behind it
   * @throws FwError `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  async enter(limits: Limits, onOthers?: () => void): Promise<void> {
    if (this.#isHeld) await this.#wait(limits);
    this.#isHeld = true;
    this.#onOthers = onOthers;
    if (this.#waiting.length > 0) onOthers?.();
  }

  /** Gives the connection to the next in line. */
  readonly leave = (): void => {
    this.#onOthers = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#isHeld = false;
    else next();
  };

  #runNow<Result>(
    start: () => Promise<Result>,
    limits: Limits | undefined,
    cancel: (running: Promise<Result>) => Promise<void>,
  ): Promise<Result> {
    const running = start();
    running.then(this.leave, this.leave);
    return limits === undefined ? running : withinDeadline(running, limits, () => cancel(running));
  }

  async #runLater<Result>(
    start: () => Promise<Result>,
    limits: Limits,
    cancel: (running: Promise<Result>) => Promise<void>,
  ): Promise<Result> {
    const from = performance.now();
    await this.enter(limits);
    return this.#runNow(start, limitsAfter(limits, from), cancel);
  }

  async #wait(limits: Limits): Promise<void> {
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (enter = resolve));
    this.#waiting.push(enter);
    this.#onOthers?.();
    await withinDeadline(turn, limits, async () => {
      const at = this.#waiting.indexOf(enter);
      // Its turn may have come in the same moment.
      if (at < 0) this.leave();
      else this.#waiting.splice(at, 1);
    });
  }
}
