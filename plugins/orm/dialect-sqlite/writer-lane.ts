import { fwError, type FwError } from '../../../kernel/index.js';
import { ORM_ERRORS, assertWanted, withinDeadline, type Limits } from '../dialect/index.js';

interface Waiting {
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/**
 * The lock of SQLite's only writer within this process. A transaction holds it from begin to end; other writes wait in a queue.
 *
 * A call that waits longer than `patience` for the same holder gets an error, as for a lock of another process.
 */
export class WriterLane {
  #held = false;
  #heldSince = 0;
  readonly #line: Waiting[] = [];

  constructor(private readonly patience: number) {}

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
   * @param limits - of the wait
   * @throws FwError `FW_ORM_TRANSIENT`, `FW_ORM_TIMEOUT`, `FW_ORM_ABORTED`
   */
  async enter(limits: Limits = {}): Promise<void> {
    assertWanted(limits.signal);
    if (this.isFree) return this.take();
    const { turn, leave } = this.#wait();
    await withinDeadline(turn, limits, async () => {
      // Its turn may have come in the same moment.
      if (!leave()) turn.then(() => this.leave()).catch(() => undefined);
    });
  }

  /** Passes the lane to the next in the queue. */
  leave(): void {
    this.#held = false;
    const next = this.#line.shift();
    if (next === undefined) return;
    this.#held = true;
    this.#heldSince = performance.now();
    next.enter();
  }

  // `leave` tells whether the place was still in the line.
  #wait(): { readonly turn: Promise<void>; readonly leave: () => boolean } {
    const since = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting | undefined;
    const turn = new Promise<void>((enter, refuse) => (waiting = { enter, refuse }));
    const place = waiting as unknown as Waiting;
    this.#line.push(place);
    const leave = () => {
      clearTimeout(timer);
      const at = this.#line.indexOf(place);
      if (at >= 0) this.#line.splice(at, 1);
      return at >= 0;
    };
    const look = () => {
      const waited = performance.now() - Math.max(since, this.#heldSince);
      if (waited < this.patience) timer = setTimeout(look, this.patience - waited);
      else if (leave()) place.refuse(keptWaiting(Math.round(waited)));
    };
    timer = setTimeout(look, this.patience);
    const over = () => clearTimeout(timer);
    turn.then(over, over);
    return { turn, leave };
  }
}

function keptWaiting(waited: number): FwError {
  const reason = `an open transaction of this process has kept a call waiting for ${waited} ms; shorten it`;
  return fwError(ORM_ERRORS.FW_ORM_TRANSIENT, { dialect: 'SQLite', reason, waited });
}
