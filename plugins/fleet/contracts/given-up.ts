import type { Direction, NotChecked } from '../../../kernel/contracts/fleet-wire.js';

/** An unchecked operation or service, and the reason. */
interface GivenUpCheck {
  readonly service: string;
  /** Empty for all operations of the service. */
  readonly method: string;
  readonly route: string;
  readonly direction: Direction | '';
  readonly reason: string;
}

/** Collects unchecked operations: equal entries are counted, and the newest ones are kept. */
export class GivenUp {
  /** In the order of their last occurrence. */
  readonly #entries = new Map<string, NotChecked>();

  #dropped = 0;

  constructor(private readonly limit: number) {}

  /** Entries that newer ones pushed out. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * @param now - milliseconds since the epoch
   * @returns whether nothing equal is kept
   */
  add(check: GivenUpCheck, now: number): boolean {
    const { service, method, route, direction, reason } = check;
    const key = [service, method, route, direction, reason].join('\0');
    const count = (this.#entries.get(key)?.count ?? 0) + 1;
    this.#entries.delete(key);
    this.#entries.set(key, { service, method, route, direction, reason, count, last_seen: `${Math.floor(now)}000000` });
    if (this.#entries.size > this.limit) {
      this.#entries.delete(this.#entries.keys().next().value as string);
      this.#dropped++;
    }
    return count === 1;
  }

  /** Newest first. */
  list(): readonly NotChecked[] {
    return [...this.#entries.values()].reverse();
  }
}

/** `the response of GET /a of orders: it takes longer than 5000 ms`. */
export function inWords({ service, method, route, direction, reason }: GivenUpCheck): string {
  const what = direction === '' ? `bodies of ${service}` : `the ${direction} of ${method} ${route} of ${service}`;
  return `${what}: ${reason}`;
}
