import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpUpgrade } from '../../kernel/index.js';

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** A connection that asks for another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  /** What the client has sent after its headers. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The connection of a request to upgrade; undefined for any other request. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return (request as { readonly upgrade?: boolean }).upgrade ? upgrades.get(request) : undefined;
}

/**
 * Hands requests to upgrade to the handler of their path, or to the application with its middlewares and WebSocket routes.
 *
 * @param answer - the application; without one other paths are answered 404 and closed
 */
export function upgradeDispatcher(
  handlers: readonly HttpUpgrade[],
  answer?: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const byPath = new Map(handlers.map((handler) => [handler.path, handler]));
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A client that is gone already must not take the process with it.
    socket.on('error', () => socket.destroy());
    const handler = byPath.get(request.url?.split('?', 1)[0] ?? '');
    if (handler) return handler.handle(request, socket, head);
    if (answer === undefined) return void socket.end(NOT_FOUND);
    upgrades.set(request, { socket, head });
    answer(request, responseOn(request, socket));
  };
}

// Node makes no response for a request to upgrade. This one ends the connection when it ends, unless it was detached.
function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  return response;
}
