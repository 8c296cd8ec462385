import { createHmac } from 'node:crypto';
import type { Clock } from '../../../kernel/index.js';
import { isSameText, newSecret } from '../../../kernel/secrets/index.js';

/** Name of the session cookie. */
export const SESSION_COOKIE = 'fw_dash_session';
/** A day. */
export const SESSION_MS = 24 * 60 * 60 * 1000;
const MAX_SESSIONS = 4096;

/** Who is logged in. Sessions live in this process only and end with it. */
export class Sessions {
  /** Session id to the monotonic milliseconds at which it ends; insertion order is order of expiry. */
  readonly #sessions = new Map<string, number>();
  readonly #key = newSecret();
  #refused = 0;

  constructor(private readonly clock: Clock) {}

  /** @returns the id of a new session; undefined when there are too many, so that nobody can fill the memory */
  open(): string | undefined {
    this.#forgetExpired();
    if (this.#sessions.size >= MAX_SESSIONS) {
      this.#refused++;
      return undefined;
    }
    const id = newSecret();
    this.#sessions.set(id, this.clock.monotonic() + SESSION_MS);
    return id;
  }

  /** Open sessions, and logins that were refused because there were too many. */
  stats(): { readonly sessions: number; readonly max_sessions: number; readonly refused: number } {
    return { sessions: this.#sessions.size, max_sessions: MAX_SESSIONS, refused: this.#refused };
  }

  isOpen(id: string): boolean {
    return (this.#sessions.get(id) ?? 0) > this.clock.monotonic();
  }

  close(id: string): void {
    this.#sessions.delete(id);
  }

  /** The token that a request of this session must repeat when it changes something. */
  csrfOf(id: string): string {
    return createHmac('sha256', this.#key).update(id).digest('hex');
  }

  isCsrf(id: string, given: string): boolean {
    return isSameText(given, this.csrfOf(id));
  }

  #forgetExpired(): void {
    const now = this.clock.monotonic();
    for (const [id, endsAt] of this.#sessions) {
      if (endsAt > now) return;
      this.#sessions.delete(id);
    }
  }
}
