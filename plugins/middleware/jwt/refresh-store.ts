/** What a presented refresh token is exchanged for, unless it has been already. */
export interface Successor {
  /** Claim `jti` of the next refresh token. */
  readonly id: string;
  /** When the access token that goes with it ends, in seconds since the epoch. */
  readonly accessEnds: number;
}

/** A refresh token that is presented. */
export interface Presented {
  /** What all tokens that came from one login share. */
  readonly family: string;
  /** Claim `jti`. */
  readonly id: string;
  readonly successor: Successor;
  /** Milliseconds in which the token gives the same successor once more. */
  readonly leewayMs: number;
}

/**
 * What became of a presented token: the successor to sign, which is an earlier one where the token came again within the leeway, or
 * why there is none. `unknown` is a family that was never begun, has ended, or is not remembered any more; `reused` is a token that
 * had its successor already, and ends the family.
 */
export type Rotation = { readonly successor: Successor } | { readonly refused: 'unknown' | 'reused' };

/**
 * Remembers the current refresh token of each login. No token is kept, only ids. Who brings a token of which the store does not know
 * that it is the current one is refused, whatever the reason.
 */
export interface RefreshStore {
  /**
   * Begins a family, or sets another current token in one that is there.
   *
   * @param id - of the first token
   * @param endsAt - when all tokens of the family end, in seconds since the epoch
   */
  begin(family: string, id: string, endsAt: number): void | Promise<void>;
  /** Uses a token up, or finds its successor, in one atomic step. */
  rotate(presented: Presented): Rotation | Promise<Rotation>;
  /** Ends a family, as at a logout. @returns whether there was one */
  revoke(family: string): boolean | Promise<boolean>;
  /** What the probe shows of the store. */
  detail?(): Readonly<Record<string, unknown>>;
}

interface Family {
  readonly endsAt: number;
  readonly current: string;
  /** The token whose successor is the current one, until that is used. */
  readonly previous?: { readonly id: string; readonly accessEnds: number; readonly usedAt: number };
}

/** Most logins that the memory store remembers. */
const MAX_FAMILIES = 100_000;

/**
 * A store in the memory of this process. When it is full, families whose tokens have ended make room, else the one that was begun or
 * rotated the longest time ago: its user logs in again. A restart ends every family.
 */
export class MemoryRefreshStore implements RefreshStore {
  /** In the order in which they were begun or rotated. */
  readonly #families = new Map<string, Family>();
  /** No family ends before, so that a full map is not walked through for nothing. */
  #firstEnd = Infinity;
  #evicted = 0;

  /**
   * @param now - milliseconds since the epoch
   * @param maxFamilies - most logins
   */
  constructor(
    private readonly now: () => number = Date.now,
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

// A clock that was set back says nothing about how long ago it was.
const isWithin = (leewayMs: number, age: number): boolean => age >= 0 && age < leewayMs;
