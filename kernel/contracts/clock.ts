import { token } from '../container/token.js';

/** Tells the time; injected, so that tests can turn it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds of a clock that never goes back, with fractions; only differences mean something. */
  monotonic(): number;
}

export const Clock = token<Clock>('fw.Clock');

/** The machine's clocks. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };
