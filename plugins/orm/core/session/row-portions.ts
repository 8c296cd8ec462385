import type { PositionalRow } from '../model/model-definition.js';
import { withinDeadline, type Limits } from './deadline.js';
import type { HeldLine } from './statement-line.js';

/** Stops and restarts a driver that pushes rows. */
interface Flow {
  pause(): void;
  resume(): void;
}

/**
 * Converts rows that a driver pushes into portions that a reader pulls. The driver is paused while the reader is a portion behind. After
 * {@link readAhead}, when another call needs the connection, the rest of the result is read into memory.
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

  /** Lets the driver send the remaining rows without pausing. */
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
    // A paused driver would never finish the cancelled statement.
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
      // Set first, because buffered rows may arrive before the call returns.
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
