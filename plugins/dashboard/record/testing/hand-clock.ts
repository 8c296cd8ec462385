import type { Clock } from '../../../../kernel/index.js';

/** A clock that moves when a test says so. */
export class HandClock implements Clock {
  /** Milliseconds since the epoch, and of the monotonic clock. */
  at = Date.UTC(2026, 0, 1);

  now(): number {
    return this.at;
  }

  monotonic(): number {
    return this.at;
  }
}
