/** Relative width of a bucket; a value read back is at most half of it away. */
const WIDTH = 1.02;
const LOG_WIDTH = Math.log(WIDTH);
/** Durations below a microsecond, in milliseconds, share the first bucket. */
const SMALLEST = 0.001;
/** Buckets from there to beyond a month: the histogram never grows past them. */
export const BUCKETS = 1_500;
/** Buckets are allocated in blocks of this size where values occur. */
const BLOCK = 64;

/**
 * Counts durations in buckets whose width grows with the value, so that every quantile is exact to one per cent, and histograms are merged
 * by adding counts. Memory is used only where values occur: most durations of one route are similar.
 */
export class LogHistogram {
  readonly #blocks: (Float64Array | undefined)[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /**
   * @param ms - not negative
   * @param weight - how many values it stands for; need not be whole
   */
  add(ms: number, weight = 1): void {
    const bucket = ms <= SMALLEST ? 0 : Math.min(BUCKETS - 1, Math.ceil(Math.log(ms / SMALLEST) / LOG_WIDTH));
    const block = this.#block(Math.floor(bucket / BLOCK));
    const at = bucket % BLOCK;
    block[at] = (block[at] as number) + weight;
    this.#count += weight;
  }

  merge(other: LogHistogram): void {
    other.#blocks.forEach((theirs, index) => {
      if (theirs === undefined) return;
      const ours = this.#block(index);
      for (let at = 0; at < BLOCK; at++) ours[at] = (ours[at] as number) + (theirs[at] as number);
    });
    this.#count += other.#count;
  }

  /** The value below which a share of all values lies; 0 when there is none. */
  quantile(share: number): number {
    const rank = Math.floor(share * (this.#count - 1));
    let seen = 0;
    for (const [index, block] of this.#blocks.entries()) {
      for (let at = 0; block !== undefined && at < BLOCK; at++) {
        seen += block[at] as number;
        if (seen > rank) return valueOf(index * BLOCK + at);
      }
    }
    return 0;
  }

  /** Values and how many there are of each, alternating, ascending: what {@link add} takes with a weight. At most 1500 pairs. */
  pairs(): number[] {
    const pairs: number[] = [];
    for (const [index, block] of this.#blocks.entries()) {
      for (let at = 0; block !== undefined && at < BLOCK; at++) {
        if (block[at] !== 0) pairs.push(valueOf(index * BLOCK + at), block[at] as number);
      }
    }
    return pairs;
  }

  #block(index: number): Float64Array {
    return (this.#blocks[index] ??= new Float64Array(BLOCK));
  }
}

// The middle of the bucket, in as few digits as tell buckets apart: heartbeats carry hundreds of them.
function valueOf(bucket: number): number {
  return bucket === 0 ? 0 : Number(((SMALLEST * WIDTH ** bucket * 2) / (1 + WIDTH)).toPrecision(4));
}
