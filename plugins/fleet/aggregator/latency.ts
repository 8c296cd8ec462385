import { LogHistogram } from '../recorded/index.js';

/** Samples that are stored exactly; only further ones need a histogram, and most slices have none. */
const EXACT = 32;

/** A bounded summary of durations that gives quantiles and can be merged with others. */
export class Latency {
  #values: number[] | undefined = [];
  #histogram: LogHistogram | undefined;
  #sum = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Mean in milliseconds, 0 without samples. */
  get average(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  /**
   * @param ms - a negative duration counts as 0
   * @param weight - how many durations it stands for
   */
  add(ms: number, weight = 1): void {
    const value = ms > 0 ? ms : 0;
    this.#count += weight;
    this.#sum += value * weight;
    if (weight === 1 && this.#values && this.#values.length < EXACT) this.#values.push(value);
    else this.#opened().add(value, weight);
  }

  /** Adds the samples of another one. */
  merge(other: Latency): void {
    if (other.#histogram) {
      this.#opened().merge(other.#histogram);
      this.#sum += other.#sum;
      this.#count += other.#count;
    } else other.#values?.forEach((value) => this.add(value));
  }

  /** The duration in milliseconds below which a share of the samples lies; 0 without samples. */
  quantile(share: number): number {
    if (this.#count === 0) return 0;
    if (this.#histogram) return this.#histogram.quantile(share);
    const sorted = (this.#values as number[]).toSorted((a, b) => a - b);
    return sorted[Math.floor(share * (sorted.length - 1))] as number;
  }

  #opened(): LogHistogram {
    if (this.#histogram) return this.#histogram;
    const histogram = new LogHistogram();
    for (const value of this.#values ?? []) histogram.add(value);
    this.#values = undefined;
    return (this.#histogram = histogram);
  }
}
