/** State of a client's window after a request. */
export interface WindowState {
  /** Requests in the window, this one included. */
  readonly count: number;
  /** When the window ends, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** Keeps the windows; the memory of this process by default, Redis for several instances. */
export interface RateLimitStore {
  /**
   * Counts a request.
   * @param windowMs - length of a window that begins now, in milliseconds
   * @param now - milliseconds since the epoch
   */
  hit(key: string, windowMs: number, now: number): WindowState | Promise<WindowState>;
  /** What the probe shows of the store. */
  detail?(): Readonly<Record<string, unknown>>;
}

interface Window {
  startedAt: number;
  windowMs: number;
  count: number;
}

/** How often ended windows are swept out, in milliseconds (SPEC "Limits"). */
const SWEEP_MS = 60_000;

/** Fixed windows in memory. When the map is full, the oldest window is evicted and counted. */
export class FixedWindows implements RateLimitStore {
  readonly #windows = new Map<string, Window>();
  #sweptAt = -Infinity;
  #evicted = 0;

  /** @param maxClients - most clients that are tracked at once */
  constructor(private readonly maxClients = 100_000) {}

  get size(): number {
    return this.#windows.size;
  }

  hit(key: string, windowMs: number, now: number): WindowState {
    this.#sweep(now);
    const known = this.#windows.get(key);
    if (known !== undefined && isWithin(now - known.startedAt, known.windowMs)) {
      known.count++;
      return { count: known.count, endsAt: known.startedAt + known.windowMs };
    }
    // Deleted first, so that the map stays in the order in which windows began.
    if (known !== undefined) this.#windows.delete(key);
    else if (this.#windows.size >= this.maxClients) this.#evictOldest();
    this.#windows.set(key, { startedAt: now, windowMs, count: 1 });
    return { count: 1, endsAt: now + windowMs };
  }

  detail(): Readonly<Record<string, unknown>> {
    return { tracked_clients: this.#windows.size, max_clients: this.maxClients, evicted_clients: this.#evicted };
  }

  #sweep(now: number): void {
    const age = now - this.#sweptAt;
    if (age >= 0 && age < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [key, { startedAt, windowMs }] of this.#windows) {
      if (!isWithin(now - startedAt, windowMs)) this.#windows.delete(key);
    }
  }

  #evictOldest(): void {
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key);
      this.#evicted++;
      return;
    }
  }
}

// A beginning that lies in the future was before the clock was set back: nobody waits until it has come round again.
const isWithin = (age: number, length: number): boolean => age >= 0 && age <= length;
