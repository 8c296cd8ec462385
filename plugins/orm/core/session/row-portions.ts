import type { PositionalRow } from '../model/model-definition.js';
import { withinDeadline, type Limits } from './deadline.js';
import type { HeldLine } from './statement-line.js';

/** Stops and restarts a driver that pushes rows. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/**
 * Rows that a driver pushes, in portions for a reader who pulls. The driver is held back while the reader is behind by a portion,
 * until {@link readAhead}: when somebody else needs the connection, the rest of the result is taken into memory.
 */
export class RowPortions {
  #ready: PositionalRow[][] = [];
  #portion: PositionalRow[] = [];
  #pace: 'readers' | 'free' | 'discarded' = 'readers';
  #isPaused = false;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(
    private readonly batchSize: number,
    private readonly flow: Flow,
  ) {}

  /** Takes one row from the driver. */
  readonly push = (row: PositionalRow): void => {
    if (this.#pace === 'discarded') return;
    this.#portion.push(row);
    if (this.#portion.length < this.batchSize) return;
    this.#ready.push(this.#portion);
    this.#portion = [];
    if (this.#pace === 'readers') this.#pause();
    this.#wake();
  };

  /** Lets the driver send what is left as fast as it can. */
  readonly readAhead = (): void => {
    if (this.#pace === 'readers') this.#pace = 'free';
    this.#resume();
  };

  /**
   * The portions.
   *
   * @param held - ends when the driver has sent everything, or has failed; cancelled when the reader, or a limit, ends before
   * @param limits - of the wait for each portion
   */
  async *read(held: HeldLine<unknown>, limits: Limits): AsyncGenerator<readonly PositionalRow[]> {
    // A driver that is held back would not get to the end of what is cancelled.
    const stop = () => {
      this.#discard();
      return held.cancel();
    };
    const over = () => {
      this.#isOver = true;
      this.#wake();
    };
    held.running.then(over, over);
    try {
      for (;;) {
        await withinDeadline(this.#arrived(), limits, stop);
        const next = this.#ready.shift();
        if (next === undefined) break;
        yield next;
      }
      await held.running;
      if (this.#portion.length > 0) yield this.#portion;
    } finally {
      await stop();
    }
  }

  // Something to read, or the end.
  #arrived(): Promise<void> {
    if (this.#ready.length > 0 || this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      // First, because rows that the driver holds may come before it returns.
      this.#wake = resolve;
      this.#resume();
    });
  }

  #discard(): void {
    this.#pace = 'discarded';
    this.#ready = [];
    this.#portion = [];
    this.#resume();
  }

  #pause(): void {
    this.#isPaused = true;
    this.flow.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.flow.resume();
  }
}
