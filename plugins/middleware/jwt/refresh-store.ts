/** Remembers which refresh tokens were used, so that one that is used twice is refused. */
export interface RefreshStore {
  /**
   * Uses a token up.
   *
   * @param id - claim `jti`
   * @param family - what all tokens that came from one login share; a reuse revokes it
   * @param expiresAt - when the token would have ended, in seconds since the epoch
   * @returns false when the token was used before or its family is revoked
   */
  consume(id: string, family: string, expiresAt: number): boolean | Promise<boolean>;
}

/** Most tokens and families that the memory store remembers. */
const MAX_REMEMBERED = 100_000;

/** A store in the memory of this process; each entry is kept until its token would have ended. */
export class MemoryRefreshStore implements RefreshStore {
  readonly #used = new Map<string, number>();
  readonly #revoked = new Map<string, number>();
  #forgotten = 0;

  /**
   * @param now - milliseconds since the epoch
   * @param maxRemembered - most tokens, and most families
   */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly maxRemembered = MAX_REMEMBERED,
  ) {}

  /** Facts for the probe. */
  get facts(): Readonly<Record<string, number>> {
    return { used_refresh_tokens: this.#used.size, revoked_families: this.#revoked.size, forgotten: this.#forgotten };
  }

  consume(id: string, family: string, expiresAt: number): boolean {
    if (this.#revoked.has(family)) return false;
    if (this.#used.has(id)) {
      this.#keep(this.#revoked, family, expiresAt);
      return false;
    }
    this.#keep(this.#used, id, expiresAt);
    return true;
  }

  #keep(entries: Map<string, number>, key: string, expiresAt: number): void {
    if (entries.size >= this.maxRemembered) this.#makeRoom(entries);
    entries.set(key, expiresAt);
  }

  #makeRoom(entries: Map<string, number>): void {
    const seconds = this.now() / 1000;
    for (const [key, expiresAt] of entries) if (expiresAt <= seconds) entries.delete(key);
    if (entries.size < this.maxRemembered) return;
    for (const key of entries.keys()) {
      entries.delete(key);
      this.#forgotten++;
      return;
    }
  }
}
