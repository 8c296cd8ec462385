import { fwError } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';

/** Bounds the concurrent calls: some more may wait, and the rest are refused. */
export class CallSlots {
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #refused = 0;

  /**
   * @param limit - calls that run at once
   * @param queue - calls that may wait for a slot
   */
  constructor(
    readonly limit: number,
    private readonly queue: number,
  ) {}

  get running(): number {
    return this.#running;
  }

  /** How many calls were turned away because the queue was full. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Runs a call when a slot is free. A cancelled call gives up its slot at once, whether it waits or runs, so that one that ends slowly
   * does not block others.
   *
   * @throws FwError `FW_MCP_BUSY` when too many wait already; what the signal was aborted with when the caller has gone
   */
  async run<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    await this.#enter(signal);
    try {
      return await orAborted(call(), signal);
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running < this.limit) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.queue) {
      this.#refused++;
      throw fwError(MCP_ERRORS.FW_MCP_BUSY, { limit: this.limit });
    }
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => this.#waiting.push((enter = resolve)));
    try {
      await orAborted(turn, signal);
    } catch (error) {
      const place = this.#waiting.indexOf(enter);
      if (place >= 0) this.#waiting.splice(place, 1);
      // The slot was assigned at the same moment, so it passes to the next.
      else this.#leave();
      throw error;
    }
  }

  // A slot passes straight to the next in line, so that the count never exceeds the limit.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}

async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let gone: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    gone = () => reject(signal.reason as Error);
    if (signal.aborted) gone();
    else signal.addEventListener('abort', gone, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', gone);
    // Nothing awaits its end any more.
    work.catch(() => undefined);
  }
}
