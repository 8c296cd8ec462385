import { limitsAfter, withinDeadline, type Limits } from './deadline.js';

/** Ends a statement that is running, and resolves when it has ended or its connection is known to be lost. */
export type CancelStatement = (running: Promise<unknown>) => Promise<void>;

interface Waiting {
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

interface Holder {
  readonly cancel: () => Promise<void>;
  readonly onOthers: (() => void) | undefined;
}

/**
 * Statements of one connection, one after the other in the order of the calls: what cancels a statement cancels whatever its
 * connection is doing, and what an error means for a transaction must be known before the next statement is sent. Who gives up
 * while others are before it leaves the line, and nothing is cancelled.
 */
export class StatementLine {
  #isHeld = false;
  #holder: Holder | undefined;
  readonly #waiting: Waiting[] = [];

  /**
   * Runs a statement in its turn.
   *
   * @param start - sends it; never throws, but may give a promise that fails
   * @param limits - of the wait and the statement together
   * @throws FwError `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  run<Result>(start: () => Promise<Result>, limits: Limits | undefined, cancel: CancelStatement): Promise<Result> {
    if (this.#isHeld) return this.#runLater(start, limits ?? {}, cancel);
    return this.#runNow(start, limits, cancel);
  }

  /**
   * Waits for the turn of what {@link hold} is to run.
   *
   * @throws FwError `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  async enter(limits: Limits): Promise<void> {
    if (this.#isHeld) await this.#wait(limits);
    this.#isHeld = true;
  }

  /**
   * Runs a statement whose turn has come, until it has ended.
   *
   * @param onOthers - called once somebody waits behind it
   */
  hold<Result>(start: () => Promise<Result>, cancel: CancelStatement, onOthers?: () => void): Promise<Result> {
    this.#isHeld = true;
    const running = start();
    this.#holder = { cancel: () => cancel(running), onOthers };
    running.then(this.#leave, this.#leave);
    if (this.#waiting.length > 0) onOthers?.();
    return running;
  }

  /** Ends the statement that runs, and refuses those that wait: the transaction that they belong to is given up. */
  async interrupt(reason: Error): Promise<void> {
    for (const { refuse } of this.#waiting.splice(0)) refuse(reason);
    await this.#holder?.cancel();
  }

  readonly #leave = (): void => {
    this.#holder = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#isHeld = false;
    else next.enter();
  };

  #runNow<Result>(start: () => Promise<Result>, limits: Limits | undefined, cancel: CancelStatement): Promise<Result> {
    const running = this.hold(start, cancel);
    return limits === undefined ? running : withinDeadline(running, limits, () => cancel(running));
  }

  async #runLater<Result>(start: () => Promise<Result>, limits: Limits, cancel: CancelStatement): Promise<Result> {
    const from = performance.now();
    await this.enter(limits);
    return this.#runNow(start, limitsAfter(limits, from), cancel);
  }

  async #wait(limits: Limits): Promise<void> {
    let waiting: Waiting | undefined;
    const turn = new Promise<void>((enter, refuse) => (waiting = { enter, refuse }));
    this.#waiting.push(waiting as unknown as Waiting);
    this.#holder?.onOthers?.();
    await withinDeadline(turn, limits, async () => {
      const at = this.#waiting.indexOf(waiting as unknown as Waiting);
      if (at >= 0) this.#waiting.splice(at, 1);
      // Its turn may have come in the same moment.
      else turn.then(this.#leave, () => undefined);
    });
  }
}
