import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

const MICROSECONDS_PER_MS = 1_000;
/** A minute; longer durations count as this long. */
const LONGEST_US = 60_000_000;

/** Durations as a histogram of bounded size (about 3 KiB); percentiles are right within seven per cent. */
export class Latencies {
  readonly #histogram: RecordableHistogram = createHistogram({ lowest: 1, highest: LONGEST_US, figures: 1 });

  get count(): number {
    return this.#histogram.count;
  }

  /** @param ms - milliseconds */
  add(ms: number): void {
    const microseconds = Math.round(ms * MICROSECONDS_PER_MS);
    this.#histogram.record(Math.min(LONGEST_US, Math.max(1, microseconds)));
  }

  /** Milliseconds below which that share of the durations stayed; null when there are none. */
  percentile(percent: number): number | null {
    return this.count === 0 ? null : this.#histogram.percentile(percent) / MICROSECONDS_PER_MS;
  }

  reset(): void {
    this.#histogram.reset();
  }
}

/** Milliseconds with three decimals. */
export function roundedMs(ms: number): number {
  return Math.round(ms * MICROSECONDS_PER_MS) / MICROSECONDS_PER_MS;
}
