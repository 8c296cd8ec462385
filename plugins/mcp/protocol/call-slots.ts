import { fwError } from '../../../kernel/errors/index.js';
import { MCP_ERRORS } from '../errors.js';

/** Lets so many calls run at once, lets some more wait, and refuses the rest. */
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

  /** Runs a call when a slot is free. @throws FwError `FW_MCP_BUSY` when too many wait already */
  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await call();
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.limit) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= this.queue) {
      this.#refused++;
      throw fwError(MCP_ERRORS.FW_MCP_BUSY, { limit: this.limit });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  // A slot passes straight to the next in line, so that the count never exceeds the limit.
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}
