/** How many calls of some time failed. */
export interface Rate {
  readonly calls: number;
  readonly errorRate: number;
}

interface Window {
  index: number;
  calls: number;
  errors: number;
}

/** Counts calls and errors in two short windows, the current one and the one before it. */
export class RecentRate {
  #current: Window = { index: 0, calls: 0, errors: 0 };
  #previous: Window = { index: 0, calls: 0, errors: 0 };

  /** @param length - of a window, in milliseconds */
  constructor(private readonly length: number) {}

  count(calls: number, errors: number, now: number): void {
    const window = this.#window(now);
    window.calls += calls;
    window.errors += errors;
  }

  /** Calls and their error rate of the last one to two windows; zero after two quiet ones. */
  at(now: number): Rate {
    const index = Math.floor(now / this.length);
    const live = [this.#current, this.#previous].filter(
      (window) => window.index >= index - 1 && window.index > 0 && !isFuture(window, index),
    );
    const calls = live.reduce((sum, window) => sum + window.calls, 0);
    const errors = live.reduce((sum, window) => sum + window.errors, 0);
    return { calls: Math.round(calls), errorRate: calls === 0 ? 0 : errors / calls };
  }

  #window(now: number): Window {
    const index = Math.floor(now / this.length);
    if (isFuture(this.#current, index)) this.#current = { index: 0, calls: 0, errors: 0 };
    if (this.#current.index >= index) return this.#current;
    this.#previous = this.#current;
    this.#current = { index, calls: 0, errors: 0 };
    return this.#current;
  }
}

/**
 * Whether something was counted before the clock was set back. A step over one border, as clocks are corrected all the time, is none.
 *
 * @param index - number of the current window
 */
export function isFuture(counted: { readonly index: number } | undefined, index: number): boolean {
  return counted !== undefined && counted.index > index + 1;
}
