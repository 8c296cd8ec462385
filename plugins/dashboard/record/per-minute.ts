const MINUTE_MS = 60_000;
const MINUTES = 30;

/** How often something happened in each of the last thirty minutes. */
export class PerMinute {
  readonly #counts = new Uint32Array(MINUTES);
  #minute = 0;

  /** @param now - milliseconds since the epoch */
  add(now: number): void {
    this.#moveTo(now);
    const index = this.#minute % MINUTES;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  /** Counts, oldest minute first. */
  counts(now: number): number[] {
    this.#moveTo(now);
    return Array.from(this.#counts, (_, age) => this.#counts[(this.#minute + 1 + age) % MINUTES] ?? 0);
  }

  #moveTo(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    // The clock was set back: what came in minutes that are still to come cannot be told from what comes in them.
    if (minute < this.#minute - 1) {
      this.#counts.fill(0);
      this.#minute = minute;
    }
    const steps = Math.min(MINUTES, Math.max(0, minute - this.#minute));
    this.#minute = Math.max(this.#minute, minute);
    for (let step = 0; step < steps; step++) this.#counts[(this.#minute - step) % MINUTES] = 0;
  }
}
