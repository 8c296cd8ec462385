import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Longest time for which the rest of a request is read after its answer, in milliseconds. */
export const LONGEST_LINGER_MS = 5_000;

/** What Node's server attaches to a connection. */
interface ServedSocket extends Socket {
  readonly parser?: { readonly incoming?: IncomingMessage | null } | null;
}

/**
 * Lets a connection that closes after an answer read what is left of the request, for some seconds and without keeping it. A client that is
 * still sending is reset otherwise, and often never sees the answer: a 413, or a 503 of an application that has too much to do (RFC 9112,
 * section 9.6). Node closes such connections at once.
 */
export function closeLingering(socket: Socket): void {
  socket.destroySoon = destroySoon;
}

function destroySoon(this: ServedSocket): void {
  const close = () => Object.getPrototypeOf(this).destroySoon.call(this) as void;
  const request = this.parser?.incoming;
  if (!request || request.complete || this.destroyed) return close();
  this.end();
  const deadline = setTimeout(() => this.destroy(), LONGEST_LINGER_MS);
  this.once('close', () => clearTimeout(deadline));
  // Whoever had read a part of it is gone.
  request.removeAllListeners('data').once('end', close).resume();
}
