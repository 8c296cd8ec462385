import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../kernel/index.js';

/** Sessions that a server keeps at most; the least recently used one goes first. */
const MAX_SESSIONS = 1024;
/** Milliseconds after which a session that nobody uses is closed. */
const SESSION_IDLE_MS = 60 * 60 * 1000;

/** One client's session: what its transport can do. */
export interface Session {
  /** Takes a request that belongs to the session; the body is parsed already. */
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  close(): Promise<void>;
}

interface Entry {
  readonly session: Session;
  usedAt: number;
  /** Requests that are being answered, open streams among them. */
  busy: number;
}

/** The sessions of a server: bounded, and closed when nobody uses them any more. */
export class Sessions {
  // In the order of use: the first entry is the least recently used one.
  readonly #entries = new Map<string, Entry>();
  #evicted = 0;
  #expired = 0;

  constructor(
    private readonly clock: Clock,
    private readonly failed: (error: unknown) => void,
  ) {}

  get size(): number {
    return this.#entries.size;
  }

  /** Sessions closed to make room. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Sessions closed because nobody used them. */
  get expired(): number {
    return this.#expired;
  }

  /** @param stream - of a session that ends with it: open as long as the client is there */
  add(id: string, session: Session, stream?: ServerResponse): void {
    this.sweep();
    while (this.#entries.size >= MAX_SESSIONS) this.#evictOne();
    const entry: Entry = { session, usedAt: this.clock.monotonic(), busy: 0 };
    this.#entries.set(id, entry);
    if (stream) this.#occupy(entry, stream);
  }

  /** Hands a request to its session. @returns false when there is no such session */
  async handle(id: string, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<boolean> {
    this.sweep();
    const entry = this.#entries.get(id);
    if (!entry) return false;
    this.#used(id, entry);
    this.#occupy(entry, response);
    await entry.session.handle(request, response, body);
    return true;
  }

  /** Forgets a session that closed by itself. */
  remove(id: string): void {
    this.#entries.delete(id);
  }

  /** Closes the sessions that were idle for too long. */
  sweep(): void {
    const oldest = this.clock.monotonic() - SESSION_IDLE_MS;
    for (const [id, { busy, usedAt }] of this.#entries) {
      if (busy > 0 || usedAt > oldest) continue;
      this.#expired++;
      this.#close(id);
    }
  }

  async closeAll(): Promise<void> {
    const open = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.allSettled(open.map(({ session }) => session.close()));
  }

  #occupy(entry: Entry, response: ServerResponse): void {
    entry.busy++;
    response.once('close', () => {
      entry.busy--;
      entry.usedAt = this.clock.monotonic();
    });
  }

  #used(id: string, entry: Entry): void {
    entry.usedAt = this.clock.monotonic();
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }

  // A session without a running request goes before one with.
  #evictOne(): void {
    const idle = [...this.#entries].find(([, { busy }]) => busy === 0);
    const [id] = idle ?? (this.#entries.entries().next().value as [string, Entry]);
    this.#evicted++;
    this.#close(id);
  }

  #close(id: string): void {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    entry?.session.close().catch(this.failed);
  }
}
