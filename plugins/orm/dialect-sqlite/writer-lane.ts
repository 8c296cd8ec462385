import { fwError } from '../../../kernel/index.js';
import { ORM_ERRORS } from '../core/index.js';

interface Waiting {
  readonly enter: () => void;
  readonly leave: (error: Error) => void;
}

/**
 * The one place from which SQLite is written. A transaction holds it from begin to end; whatever else writes waits in line.
 *
 * Who waits longer than `patience` for one and the same holder gets an error, as from another process that holds the lock.
 */
export class WriterLane {
  #held = false;
  #heldSince = 0;
  readonly #line: Waiting[] = [];

  constructor(
    private readonly patience: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  // Whoever waits does so for a holder, and gets the lane from it.
  get isFree(): boolean {
    return !this.#held;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** Holds the lane at once; only when it is free. */
  take(): void {
    // Since when is asked for only by those who waited before that, and nobody waits for a free lane.
    this.#held = true;
  }

  /**
   * Waits for the lane and holds it.
   *
   * @throws FwError `FW_ORM_TRANSIENT`
   */
  enter(): Promise<void> {
    if (this.isFree) return Promise.resolve(this.take());
    return new Promise((resolve, reject) => this.#wait(resolve, reject));
  }

  /** Gives the lane to the next in line. */
  leave(): void {
    this.#held = false;
    const next = this.#line.shift();
    if (next === undefined) return;
    this.#held = true;
    this.#heldSince = this.now();
    next.enter();
  }

  #wait(resolve: () => void, reject: (error: Error) => void): void {
    const since = this.now();
    let timer: NodeJS.Timeout;
    const waiting: Waiting = {
      enter: () => {
        clearTimeout(timer);
        resolve();
      },
      leave: reject,
    };
    const look = () => {
      const waited = this.now() - Math.max(since, this.#heldSince);
      if (waited < this.patience) timer = setTimeout(look, this.patience - waited);
      else this.#giveUp(waiting, Math.round(waited));
    };
    timer = setTimeout(look, this.patience);
    this.#line.push(waiting);
  }

  #giveUp(waiting: Waiting, waited: number): void {
    this.#line.splice(this.#line.indexOf(waiting), 1);
    const reason = `an open transaction of this process has kept a call waiting for ${waited} ms; shorten it`;
    waiting.leave(fwError(ORM_ERRORS.FW_ORM_TRANSIENT, { dialect: 'SQLite', reason }));
  }
}
