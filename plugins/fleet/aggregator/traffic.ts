import type { TrafficSummary } from '../../../kernel/contracts/fleet-wire.js';
import { Latency } from './latency.js';

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

interface Window {
  index: number;
  calls: number;
  errors: number;
}

/** Calls, errors and durations of a node or an edge: in slices of the retention window, and in two short windows for rates. */
export class Traffic {
  readonly #slices: Slice[] = [];
  #current: Window = { index: 0, calls: 0, errors: 0 };
  #previous: Window = { index: 0, calls: 0, errors: 0 };
  lastSeen = 0;

  /** @param spans - lengths of the retention window and of the rate window, in milliseconds */
  constructor(private readonly spans: { readonly retention: number; readonly rate: number }) {}

  /** @param weight - how many calls it stands for: those like it that were not sampled, too */
  observe(durationMs: number, failed: boolean, now: number, weight = 1): void {
    this.lastSeen = now;
    const slice = this.#slice(now);
    slice.calls += weight;
    slice.latency.add(durationMs, weight);
    if (weight !== 1) slice.isEstimated = true;
    const window = this.#window(now);
    window.calls += weight;
    if (!failed) return;
    slice.errors += weight;
    window.errors += weight;
  }

  /**
   * Adds requests that were counted where they happened.
   * @param durations - milliseconds and how many, alternating
   */
  count(durations: readonly number[], errors: number, now: number): void {
    this.lastSeen = now;
    const [slice, window] = [this.#slice(now), this.#window(now)];
    let calls = 0;
    for (let at = 0; at < durations.length; at += 2) {
      const amount = durations[at + 1] as number;
      calls += amount;
      if (amount > 0) slice.latency.add(durations[at] as number, amount);
    }
    for (const counts of [slice, window]) {
      counts.calls += calls;
      counts.errors += Math.min(errors, calls);
    }
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
  recent(now: number): { readonly calls: number; readonly errorRate: number } {
    const index = Math.floor(now / this.spans.rate);
    const live = [this.#current, this.#previous].filter(
      (window) => window.index >= index - 1 && window.index > 0 && !isFuture(window, index),
    );
    const calls = live.reduce((sum, window) => sum + window.calls, 0);
    const errors = live.reduce((sum, window) => sum + window.errors, 0);
    return { calls: Math.round(calls), errorRate: calls === 0 ? 0 : errors / calls };
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

  #window(now: number): Window {
    const index = Math.floor(now / this.spans.rate);
    if (isFuture(this.#current, index)) this.#current = { index: 0, calls: 0, errors: 0 };
    if (this.#current.index >= index) return this.#current;
    this.#previous = this.#current;
    this.#current = { index, calls: 0, errors: 0 };
    return this.#current;
  }

  #sliceIndex(now: number): number {
    return Math.floor((now * SLICES) / this.spans.retention);
  }
}

// What was counted before the clock was set back is of the future. A step over one border, as clocks are corrected all the time, is none.
const isFuture = (counted: { readonly index: number } | undefined, index: number): boolean =>
  counted !== undefined && counted.index > index + 1;

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
