import { NoopPlugin, type QueryContext } from '../core/index.js';

/** What the metrics plugin has counted. */
export interface QueryMetrics {
  readonly queryCount: number;
  readonly errorCount: number;
  /** Nanoseconds of all statements together. */
  readonly totalDuration: number;
  /** Nanoseconds of the slowest. */
  readonly longestDuration: number;
}

/** Counts statements, errors and time of a database. Read them with `snapshot()`. */
export function metrics(): Metrics {
  return new Metrics();
}

class Metrics extends NoopPlugin {
  #metrics = { queryCount: 0, errorCount: 0, totalDuration: 0, longestDuration: 0 };

  override name(): string {
    return 'metrics';
  }

  override afterExecute(_context: QueryContext, _sql: string, durationNanos: bigint, error: unknown): void {
    this.#metrics.queryCount++;
    if (error !== undefined) this.#metrics.errorCount++;
    const duration = Number(durationNanos);
    this.#metrics.totalDuration += duration;
    this.#metrics.longestDuration = Math.max(this.#metrics.longestDuration, duration);
  }

  /** The counts so far. */
  snapshot(): QueryMetrics {
    return { ...this.#metrics };
  }
}
