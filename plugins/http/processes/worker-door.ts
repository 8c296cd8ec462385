import { createServer, type Server, type ServerOptions } from 'node:http';
import { rm } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { BACKLOG } from '../../../kernel/net/index.js';
import type { RequestListener } from '../koa-application.js';
import { takePeer } from './peer.js';

/** Interval of the search for idle connections while closing, in milliseconds. */
const SWEEP_MS = 20;

/** Handlers of forwarded requests. */
interface DoorParts {
  readonly options: ServerOptions;
  readonly answer: RequestListener;
  /** Takes a connection that asks for another protocol; undefined if there is no handler. */
  readonly upgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined;
}

/** The socket at which the first worker takes requests from the other processes. */
export class WorkerDoor {
  readonly #server: Server;

  constructor({ options, answer, upgrade }: DoorParts) {
    // The other processes keep the connections alive, and close them themselves.
    this.#server = createServer({ ...options, keepAliveTimeout: 0 }, (request, response) => {
      takePeer(request);
      answer(request, response);
    });
    if (upgrade)
      this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        takePeer(request);
        upgrade(request, socket, head);
      });
  }

  /** Opens the socket; removes the file of a crashed process. */
  async open(path: string): Promise<void> {
    await rm(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      // Exclusive, so that this process accepts the connections and not the cluster's parent.
      this.#server.listen({ path, exclusive: true, backlog: BACKLOG }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  /** Takes no more requests; resolves when all were answered. */
  async close(timeoutMs: number): Promise<void> {
    const sweep = setInterval(() => this.#server.closeIdleConnections(), SWEEP_MS);
    const deadline = setTimeout(() => this.#server.closeAllConnections(), timeoutMs);
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    clearInterval(sweep);
    clearTimeout(deadline);
  }
}
