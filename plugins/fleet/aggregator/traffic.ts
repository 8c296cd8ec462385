import type { TrafficSummary } from '../../../kernel/contracts/fleet-wire.js';
import { Latency } from './latency.js';
import { isFuture, type Rate, RecentRate } from './recent-rate.js';

/** Slices of the retention window: numbers are exact to a tenth of it. */
const SLICES = 10;

interface Slice {
  readonly index: number;
  calls: number;
  errors: number;
  readonly latency: Latency;
  /** Whether some of it stands for what was not recorded. */
  isEstimated: boolean;
}

/** Calls, errors and durations of a node or an edge: in slices of the retention window, and in two short windows for rates. */
export class Traffic {
  readonly #slices: Slice[] = [];
  readonly #rate: RecentRate;
  lastSeen = 0;

  /** @param spans - lengths of the retention window and of the rate window, in milliseconds */
  constructor(private readonly spans: { readonly retention: number; readonly rate: number }) {
    this.#rate = new RecentRate(spans.rate);
  }

  /** @param weight - how many calls it stands for: those like it that were not sampled, too */
  observe(durationMs: number, failed: boolean, now: number, weight = 1): void {
    this.lastSeen = now;
    const slice = this.#slice(now);
    slice.calls += weight;
    slice.latency.add(durationMs, weight);
    if (weight !== 1) slice.isEstimated = true;
    if (failed) slice.errors += weight;
    this.#rate.count(weight, failed ? weight : 0, now);
  }

  /**
   * Adds requests that were counted where they happened.
   * @param durations - milliseconds and how many, alternating
   */
  count(durations: readonly number[], errors: number, now: number): void {
    this.lastSeen = now;
    const slice = this.#slice(now);
    let calls = 0;
    for (let at = 0; at < durations.length; at += 2) {
      const amount = durations[at + 1] as number;
      calls += amount;
      if (amount > 0) slice.latency.add(durations[at] as number, amount);
    }
    const failed = Math.min(errors, calls);
    slice.calls += calls;
    slice.errors += failed;
    this.#rate.count(calls, failed, now);
  }

  /** Calls of the retention window, and whether some of them were inferred from others. */
  extent(now: number): { readonly calls: number; readonly isEstimated: boolean } {
    const slices = this.#kept(now);
    return {
      calls: slices.reduce((sum, { calls }) => sum + calls, 0),
      isEstimated: slices.some(({ isEstimated }) => isEstimated),
    };
  }

  /** Traffic of the retention window. */
  summary(now: number): TrafficSummary {
    const merged = new Latency();
    let [calls, errors] = [0, 0];
    for (const slice of this.#kept(now)) {
      calls += slice.calls;
      errors += slice.errors;
      merged.merge(slice.latency);
    }
    return {
      calls: Math.round(calls),
      errors: Math.round(errors),
      error_rate: calls === 0 ? 0 : errors / calls,
      p50_ms: rounded(merged.quantile(0.5)),
      p95_ms: rounded(merged.quantile(0.95)),
      p99_ms: rounded(merged.quantile(0.99)),
      avg_ms: rounded(merged.average),
    };
  }

  /** Calls and their error rate of the last one to two rate windows; zero after two quiet ones. */
  recent(now: number): Rate {
    return this.#rate.at(now);
  }

  #kept(now: number): readonly Slice[] {
    const current = this.#sliceIndex(now);
    return this.#slices.filter((slice) => slice.index > current - SLICES && !isFuture(slice, current));
  }

  #slice(now: number): Slice {
    const index = this.#sliceIndex(now);
    while (isFuture(this.#slices.at(-1), index)) this.#slices.pop();
    const last = this.#slices.at(-1);
    if (last && last.index >= index) return last;
    const slice: Slice = { index, calls: 0, errors: 0, latency: new Latency(), isEstimated: false };
    this.#slices.push(slice);
    while ((this.#slices[0] as Slice).index <= index - SLICES) this.#slices.shift();
    return slice;
  }

  #sliceIndex(now: number): number {
    return Math.floor((now * SLICES) / this.spans.retention);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
