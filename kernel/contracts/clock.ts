import { token } from '../container/token.js';

/** Tells the time; injected, so that tests can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds of a clock that never goes back, with fractions; only differences mean something. */
  monotonic(): number;
}

export const Clock = token<Clock>('fw.Clock');

/**
 * Milliseconds of the machine's steady clock, with fractions; only differences mean something.
 *
 * `process.hrtime()` is called by optimized code directly. `performance.now()` and `Date.now()` go through the layers of V8 that
 * turn a call of JavaScript into one of C++, and where these are not in the processor's caches, as at the start of a request,
 * that takes a microsecond.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** The longest that a timer of Node waits; for anything longer it fires at once (https://nodejs.org/api/timers.html). */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clocks. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: monotonicMs };
