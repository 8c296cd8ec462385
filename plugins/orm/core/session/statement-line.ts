import { assertWanted, limitsAfter, withinDeadline, type Limits } from './deadline.js';

/** Ends a statement that is running, and resolves when it has ended or its connection is known to be lost. */
type CancelStatement = (running: Promise<unknown>) => Promise<void>;

interface Waiting {
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** A statement that has the line to itself. */
export class HeldLine<Result> {
  #hasEnded = false;
  #cancelled: Promise<void> | undefined;

  constructor(
    readonly running: Promise<Result>,
    private readonly cancelStatement: CancelStatement,
    readonly onOthers: (() => void) | undefined,
  ) {}

  /** Ends the statement, unless it has ended by itself. */
  async cancel(): Promise<void> {
    if (!this.#hasEnded) await (this.#cancelled ??= this.cancelStatement(this.running));
  }

  /** Marks the end of the statement. If a cancel request is still pending, returns a promise of its end. */
  end(): Promise<void> | undefined {
    this.#hasEnded = true;
    return this.#cancelled;
  }
}

/**
 * Runs the statements of one connection one after the other, in the order of the calls: a cancel request cancels whatever the connection is
 * doing, and the effect of an error on the transaction must be known before the next statement is sent. A call that gives up while it waits
 * leaves the queue, and nothing is cancelled.
 */
export class StatementLine {
  #isHeld = false;
  #holder: HeldLine<unknown> | undefined;
  readonly #waiting: Waiting[] = [];

  /**
   * Runs a statement in its turn.
   *
   * @param start - sends it; never throws, but may give a promise that fails
   * @param limits - of the wait and the statement together
   * @throws FwError `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  run<Result>(start: () => Promise<Result>, limits: Limits | undefined, cancel: CancelStatement): Promise<Result> {
    if (this.#isHeld || limits?.signal?.aborted === true) return this.#runLater(start, limits ?? {}, cancel);
    return this.#runNow(start, limits, cancel);
  }

  /**
   * Waits for the turn of what {@link hold} is to run.
   *
   * @throws FwError `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  async enter(limits: Limits): Promise<void> {
    // An earlier abort would otherwise cancel the statement only after it was sent.
    assertWanted(limits.signal);
    if (this.#isHeld) await this.#wait(limits);
    this.#isHeld = true;
  }

  /**
   * Starts a statement whose turn has come. The next one starts when it has ended.
   *
   * @param onOthers - called when another statement waits
   */
  hold<Result>(start: () => Promise<Result>, cancel: CancelStatement, onOthers?: () => void): HeldLine<Result> {
    this.#isHeld = true;
    const held = new HeldLine(start(), cancel, onOthers);
    this.#holder = held;
    held.running.then(this.#ended, this.#ended);
    if (this.#waiting.length > 0) onOthers?.();
    return held;
  }

  /** Ends the statement that runs, and refuses those that wait: the transaction that they belong to is given up. */
  async interrupt(reason: Error): Promise<void> {
    for (const { refuse } of this.#waiting.splice(0)) refuse(reason);
    await this.#holder?.cancel();
  }

  // A pending cancel request must not reach the next statement.
  readonly #ended = (): void => {
    const cancelled = this.#holder?.end();
    if (cancelled === undefined) this.#leave();
    else void cancelled.finally(this.#leave);
  };

  readonly #leave = (): void => {
    this.#holder = undefined;
    const next = this.#waiting.shift();
    if (next === undefined) this.#isHeld = false;
    else next.enter();
  };

  #runNow<Result>(start: () => Promise<Result>, limits: Limits | undefined, cancel: CancelStatement): Promise<Result> {
    const held = this.hold(start, cancel);
    return limits === undefined ? held.running : withinDeadline(held.running, limits, () => held.cancel());
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
      // Its turn may have come at the same moment.
      else turn.then(this.#leave, () => undefined);
    });
  }
}
