import type { ProbeReport } from './probe.js';
import { systemClock } from '../contracts/clock.js';

let countingSince: number | undefined;

/** Switches every {@link HitCounter} of the process on. Idempotent: the time of the first call is kept. */
export function enableCounters(now: number = systemClock.now()): void {
  countingSince ??= now;
}

/** Switches counting off; values are kept. */
export function disableCounters(): void {
  countingSince = undefined;
}

/** Whether counters run. */
export function countersEnabled(): boolean {
  return countingSince !== undefined;
}

/** Milliseconds since the epoch at which counting began, or undefined while it is off. */
export function countersSince(): number | undefined {
  return countingSince;
}

/** Note that every counting probe carries while counters are off, so that zeros are not read as "nothing happened". */
const NOT_COUNTING = 'Counters are off: zeros mean "not measured". Call enableCounters() or install the dashboard.';

/** How a {@link HitCounter} names its two outcomes, e.g. `not_modified_304` and `full_body`. */
export interface CounterLabels {
  readonly hit: string;
  readonly miss: string;
}

/**
 * Counts two outcomes, errors and bytes. While counters are off, counting is one test of a flag
 * (SPEC "Middleware chain": counters run only after `enableCounters()`).
 */
export class HitCounter {
  #hits = 0;
  #misses = 0;
  #errors = 0;
  #bytes = 0;
  #bytesSaved = 0;
  #last: number | undefined;

  constructor(
    private readonly labels: CounterLabels,
    private readonly now: () => number = systemClock.now,
  ) {}

  get hits(): number {
    return this.#hits;
  }

  get misses(): number {
    return this.#misses;
  }

  hit(bytes = 0, bytesSaved = 0): void {
    if (countingSince === undefined) return;
    this.#hits++;
    this.#add(bytes, bytesSaved);
  }

  miss(bytes = 0): void {
    if (countingSince === undefined) return;
    this.#misses++;
    this.#add(bytes, 0);
  }

  error(): void {
    if (countingSince !== undefined) this.#errors++;
  }

  /** The block that a probe puts into its detail. */
  detail(): Record<string, unknown> {
    const total = this.#hits + this.#misses;
    return {
      [this.labels.hit]: this.#hits,
      [this.labels.miss]: this.#misses,
      counting: countersEnabled(),
      ...(this.#errors > 0 && { errors: this.#errors }),
      ...(this.#bytes > 0 && { bytes: this.#bytes }),
      ...(this.#bytesSaved > 0 && { bytes_saved: this.#bytesSaved }),
      ...(this.#last !== undefined && { last: new Date(this.#last).toISOString() }),
      ...(total > 0 && { total, hit_rate: this.#hits / total }),
    };
  }

  /** What a probe adds to its report: the counts beside further details, and the notes. */
  facts(
    further: Readonly<Record<string, unknown>> = {},
    notes: readonly string[] = [],
  ): Pick<ProbeReport, 'detail' | 'notes'> {
    return { detail: { ...further, ...this.detail() }, notes: [...this.notes(), ...notes] };
  }

  /** Notes for the probe: one while counters are off. */
  notes(): readonly string[] {
    return countersEnabled() ? [] : [NOT_COUNTING];
  }

  #add(bytes: number, bytesSaved: number): void {
    this.#bytes += bytes;
    this.#bytesSaved += bytesSaved;
    this.#last = this.now();
  }
}
