import { fwError } from '../../../../kernel/index.js';
import { ORM_ERRORS } from '../errors.js';
import { assertWanted, withinDeadline, type Limits } from './deadline.js';

/** What a pool needs to know about its connections. */
export interface PooledConnections<Connection> {
  connect(): Promise<Connection>;
  /** Ends a connection; must not throw. */
  end(connection: Connection): Promise<void>;
  /** Whether a connection that was given back can be used again. */
  isUsable(connection: Connection): boolean;
}

interface Waiting<Connection> {
  readonly take: (connection: Connection) => void;
  readonly fail: (error: Error) => void;
}

/** Connections to a server, at most `size`; further callers wait in a queue. The most recently used connection is used first. */
export class ConnectionPool<Connection> {
  readonly #idle: Connection[] = [];
  readonly #line: Waiting<Connection>[] = [];
  #open = 0;
  /** Connections that are being made, each for one of the first in line. */
  #connecting = 0;
  #closing: (() => void) | undefined;
  #closed = false;

  /**
   * @param size - most connections
   * @param acquireTimeout - milliseconds that anybody waits for a connection at most; 0 for as long as it takes
   */
  constructor(
    private readonly connections: PooledConnections<Connection>,
    private readonly size: number,
    private readonly acquireTimeout: number,
  ) {}

  get stats(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    return { open: this.#open, idle: this.#idle.length, waiting: this.#line.length };
  }

  /** An idle connection, without an await. */
  takeIdle(): Connection | undefined {
    if (this.#closed) throw fwError(ORM_ERRORS.FW_ORM_CLOSED, {});
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (this.connections.isUsable(found)) return found;
      this.#lost(found);
    }
    return undefined;
  }

  /**
   * A connection, as soon as there is one.
   *
   * @throws FwError `FW_ORM_CLOSED`, `FW_ORM_CONNECTION`; `FW_ORM_NO_CONNECTION`, `FW_ORM_TIMEOUT` or `FW_ORM_ABORTED` when the
   *   patience of the pool or of the caller ends before
   */
  async take(patience: Limits = {}): Promise<Connection> {
    const idle = this.takeIdle();
    if (idle !== undefined) return idle;
    assertWanted(patience.signal);
    return this.#wait(patience);
  }

  /** Returns a connection; a broken one is replaced for a waiting caller. */
  give(connection: Connection): void {
    if (!this.connections.isUsable(connection)) return this.#lost(connection);
    const next = this.#line.shift();
    if (next) return next.take(connection);
    this.#idle.push(connection);
    if (this.#closed) void this.#drain();
  }

  /** Resolves when every connection is given back and ended; new calls are refused at once. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const waiting of this.#line.splice(0)) waiting.fail(fwError(ORM_ERRORS.FW_ORM_CLOSED, {}));
    const drained = new Promise<void>((resolve) => (this.#closing = resolve));
    await this.#drain();
    await drained;
  }

  // The wait is bounded, because a caller could wait for a connection that it holds itself.
  async #wait(patience: Limits): Promise<Connection> {
    const { promise, ...waiting } = inLine<Connection>();
    this.#line.push(waiting);
    this.#connectForLine();
    const timer = this.acquireTimeout > 0 && setTimeout(() => this.#refuse(waiting), this.acquireTimeout);
    try {
      return await withinDeadline(promise, patience, async () => {
        // A caller that is no longer in the queue was given a connection at the same moment.
        if (!this.#leave(waiting)) promise.then((late) => this.give(late)).catch(() => undefined);
      });
    } finally {
      if (timer) clearTimeout(timer);
    }
  }

  #refuse(waiting: Waiting<Connection>): void {
    // A connection is being made for this caller, whose outcome gives a better error.
    if (this.#line.indexOf(waiting) < this.#connecting) return;
    const details = { waited: this.acquireTimeout, connections: this.size };
    if (this.#leave(waiting)) waiting.fail(fwError(ORM_ERRORS.FW_ORM_NO_CONNECTION, details));
  }

  #leave(waiting: Waiting<Connection>): boolean {
    const at = this.#line.indexOf(waiting);
    if (at >= 0) this.#line.splice(at, 1);
    return at >= 0;
  }

  // A new connection, or the error of making it, goes to the first caller in the queue at that time.
  #connectForLine(): void {
    if (this.#line.length <= this.#connecting || this.#open >= this.size) return;
    this.#open++;
    this.#connecting++;
    this.connections.connect().then(
      (made) => {
        this.#connecting--;
        this.give(made);
      },
      (error: Error) => {
        this.#connecting--;
        this.#line.shift()?.fail(error);
        this.#ended();
      },
    );
  }

  #lost(connection: Connection): void {
    void this.connections.end(connection);
    this.#ended();
  }

  #ended(): void {
    this.#open--;
    this.#connectForLine();
    if (this.#closed && this.#open === 0) this.#closing?.();
  }

  async #drain(): Promise<void> {
    const idle = this.#idle.splice(0);
    await Promise.all(idle.map((connection) => this.connections.end(connection)));
    this.#open -= idle.length;
    if (this.#open === 0) this.#closing?.();
  }
}

function inLine<Connection>(): Waiting<Connection> & { readonly promise: Promise<Connection> } {
  let waiting: Waiting<Connection> | undefined;
  const promise = new Promise<Connection>((take, fail) => (waiting = { take, fail }));
  return { ...(waiting as unknown as Waiting<Connection>), promise };
}
