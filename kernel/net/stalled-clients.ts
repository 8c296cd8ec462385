import type { Socket } from 'node:net';
import type { Logger } from '../contracts/logger.js';

/** Longest interval between two looks at the connections, in milliseconds. */
const LOOK_EVERY_MS = 1000;

/** Interval of log lines, in milliseconds. */
const TELL_EVERY_MS = 10_000;

/** Node's own view of a connection, which also tells how much of one large write the system took. */
interface NativeHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** How far a client had read, and since when. */
interface Mark {
  readonly taken: number;
  readonly since: number;
}

/** What a {@link StalledClients} needs. */
interface StalledClientsOptions {
  /** How long a client may take nothing of what waits for it, in milliseconds; 0 for no end. */
  readonly limit: number;
  /** The connections to look at. */
  readonly sockets: () => Iterable<Socket>;
  /** Warned when clients were cut, at most once in ten seconds. */
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Cuts connections whose client takes nothing of what waits for it. Otherwise an answer that is never read holds its memory, its connection
 * and what its body reads from, until the client chooses to leave. A client that reads slowly is kept: each byte that it takes begins the
 * time again.
 */
export class StalledClients {
  readonly #marks = new WeakMap<Socket, Mark>();
  readonly #timer: NodeJS.Timeout | undefined;
  #cut = 0;
  #toldAt = -Infinity;

  constructor(private readonly options: StalledClientsOptions) {
    const { limit } = options;
    if (limit > 0) this.#timer = setInterval(() => this.#look(), Math.min(LOOK_EVERY_MS, limit / 2)).unref();
  }

  /** How many connections were cut. */
  get cut(): number {
    return this.#cut;
  }

  /** Counts a client that was cut by somebody else, such as the limit of one stream of HTTP/2. */
  count(): void {
    this.#cut++;
    const now = performance.now();
    if (now - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = now;
    const { limit, log } = this.options;
    log.warn({ cut: this.#cut, limit }, 'clients took nothing of what waited for them; their connections were cut');
  }

  /** Looks no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = performance.now();
    for (const socket of this.options.sockets()) if (this.#isStalled(socket, now)) this.#end(socket);
  }

  #isStalled(socket: Socket, now: number): boolean {
    if (socket.destroyed || !hasWaiting(socket)) {
      this.#marks.delete(socket);
      return false;
    }
    const taken = takenOf(socket);
    const mark = this.#marks.get(socket);
    if (mark !== undefined && taken <= mark.taken) return now - mark.since >= this.options.limit;
    this.#marks.set(socket, { taken, since: now });
    return false;
  }

  #end(socket: Socket): void {
    this.#marks.delete(socket);
    // A reset, because the system would go on offering what it holds already. Node has none for a connection with TLS.
    if ('encrypted' in socket) socket.destroy();
    else socket.resetAndDestroy();
    this.count();
  }
}

// What HTTP/2 sends is seen by the handle only.
function hasWaiting(socket: Socket): boolean {
  return socket.writableLength > 0 || (handleOf(socket).writeQueueSize ?? 0) > 0;
}

function handleOf(socket: Socket): Partial<NativeHandle> {
  return (socket as Socket & { readonly _handle?: Partial<NativeHandle> | null })._handle ?? {};
}

/** How many bytes the system took. Where Node does not tell, a write counts when it is over. */
function takenOf(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = handleOf(socket);
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize;
}
