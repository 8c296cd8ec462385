import { systemClock } from '../../../kernel/contracts/clock.js';

/** The successor for a presented refresh token, unless it has one already. */
export interface Successor {
  /** Claim `jti` of the next refresh token. */
  readonly id: string;
  /** Expiry of the accompanying access token, in seconds since the epoch. */
  readonly accessEnds: number;
}

/** A presented refresh token. */
export interface Presented {
  /** Id that all tokens of one login share. */
  readonly family: string;
  /** Claim `jti`. */
  readonly id: string;
  readonly successor: Successor;
  /** Milliseconds within which the token gives the same successor again. */
  readonly leewayMs: number;
}

/**
 * Result for a presented token: the successor to sign (the earlier one if the token was repeated within the leeway), or the reason why
 * there is none. `unknown`: the family was never begun, has ended, or is forgotten; `reused`: the token has a successor already, and its
 * family ends.
 */
export type Rotation = { readonly successor: Successor } | { readonly refused: 'unknown' | 'reused' };

/**
 * Remembers the current refresh token of each login. No token is kept, only ids. A token that is not known to be the current one is
 * refused, whatever the reason.
 */
export interface RefreshStore {
  /**
   * Begins a family, or sets the current token of an existing one.
   *
   * @param id - of the first token
   * @param endsAt - expiry of all tokens of the family, in seconds since the epoch
   */
  begin(family: string, id: string, endsAt: number): void | Promise<void>;
  /** Exchanges a token, or finds its successor, in one atomic step. */
  rotate(presented: Presented): Rotation | Promise<Rotation>;
  /** Ends a family, as for a logout. @returns whether it existed */
  revoke(family: string): boolean | Promise<boolean>;
  /** What the probe shows of the store. */
  detail?(): Readonly<Record<string, unknown>>;
}

interface Family {
  readonly endsAt: number;
  readonly current: string;
  /** The predecessor of the current token, until the current one is used. */
  readonly previous?: { readonly id: string; readonly accessEnds: number; readonly usedAt: number };
}

/** Most logins that the memory store remembers. */
const MAX_FAMILIES = 100_000;

/**
 * A store in the memory of this process. When it is full, families with expired tokens are evicted, else the one that was not used for the
 * longest time, whose user has to log in again. A restart ends every family.
 */
export class MemoryRefreshStore implements RefreshStore {
  /** In the order in which they were begun or rotated. */
  readonly #families = new Map<string, Family>();
  /** Earliest expiry of all families, so that a full map is searched only when one may have expired. */
  #firstEnd = Infinity;
  #evicted = 0;

  /**
   * @param now - milliseconds since the epoch
   * @param maxFamilies - most logins
   */
  constructor(
    private readonly now: () => number = systemClock.now,
    private readonly maxFamilies = MAX_FAMILIES,
  ) {}

  begin(family: string, id: string, endsAt: number): void {
    this.#put(family, { current: id, endsAt });
  }

  rotate({ family, id, successor, leewayMs }: Presented): Rotation {
    const known = this.#families.get(family);
    if (known === undefined) return { refused: 'unknown' };
    const { current, previous, endsAt } = known;
    if (id === current) {
      const used = { id, accessEnds: successor.accessEnds, usedAt: this.now() };
      this.#put(family, { current: successor.id, endsAt, previous: used });
      return { successor };
    }
    if (previous?.id === id && isWithin(leewayMs, this.now() - previous.usedAt))
      return { successor: { id: current, accessEnds: previous.accessEnds } };
    this.#families.delete(family);
    return { refused: 'reused' };
  }

  revoke(family: string): boolean {
    return this.#families.delete(family);
  }

  detail(): Readonly<Record<string, unknown>> {
    return { refresh_store: 'memory', refresh_families: this.#families.size, evicted_families: this.#evicted };
  }

  #put(family: string, state: Family): void {
    // Deleted first, so that the order of the map stays that of the changes.
    if (!this.#families.delete(family) && this.#families.size >= this.maxFamilies) this.#makeRoom();
    this.#families.set(family, state);
    this.#firstEnd = Math.min(this.#firstEnd, state.endsAt);
  }

  #makeRoom(): void {
    if (this.#firstEnd * 1000 <= this.now()) this.#dropEnded();
    if (this.#families.size < this.maxFamilies) return;
    const oldest = this.#families.keys().next();
    if (oldest.done !== true) this.#families.delete(oldest.value);
    this.#evicted++;
  }

  #dropEnded(): void {
    const seconds = this.now() / 1000;
    this.#firstEnd = Infinity;
    for (const [family, { endsAt }] of this.#families) {
      if (endsAt <= seconds) this.#families.delete(family);
      else this.#firstEnd = Math.min(this.#firstEnd, endsAt);
    }
  }
}

// A negative age, after the clock was set back, does not count as within the leeway.
const isWithin = (leewayMs: number, age: number): boolean => age >= 0 && age < leewayMs;
