import type { DispatchRecord } from '../contracts/events.js';

/** A ring buffer of the last dispatches. */
export class Recorder {
  readonly #ring: DispatchRecord[] = [];
  #written = 0;

  /** @param capacity - how many are kept; 0 keeps none */
  constructor(readonly capacity: number) {}

  get written(): number {
    return this.#written;
  }

  get size(): number {
    return this.#ring.length;
  }

  get evicted(): number {
    return this.#written - this.#ring.length;
  }

  add(dispatch: DispatchRecord): void {
    if (this.capacity > 0) this.#ring[this.#written % this.capacity] = dispatch;
    this.#written++;
  }

  /** Newest first. */
  recent(): readonly DispatchRecord[] {
    const oldest = this.capacity > 0 ? this.#written % this.capacity : 0;
    return this.size < this.capacity
      ? this.#ring.toReversed()
      : [...this.#ring.slice(oldest), ...this.#ring.slice(0, oldest)].reverse();
  }
}
