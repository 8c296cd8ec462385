import { token, type WebSocketConnection } from '../../kernel/index.js';

/** The open connections of the WebSocket endpoint. Get it with `services.get(WebSocketHub)`. */
export interface WebSocketHub {
  /** Open connections. */
  readonly size: number;
  /**
   * Sends a message to every open connection but `except`. A connection with more than `maxBuffered` waiting bytes is closed instead, so
   * that a slow reader does not fill the memory of the server.
   *
   * @returns number of connections that the message was sent to
   */
  broadcast(message: string | Uint8Array, except?: WebSocketConnection): number;
}

export const WebSocketHub = token<WebSocketHub>('fw.WebSocketHub');

/** Close code of RFC 6455, section 7.4.1: the connection violates a policy of the server. */
const POLICY_VIOLATION = 1008;

/** The hub behind {@link WebSocketHub}. */
export class Connections implements WebSocketHub {
  readonly #open = new Set<WebSocketConnection>();
  #notRead = 0;

  /** @param maxBuffered - bytes that may wait for one reader */
  constructor(private readonly maxBuffered: number) {}

  /** How many connections were closed because their messages were not read. */
  get notRead(): number {
    return this.#notRead;
  }

  get size(): number {
    return this.#open.size;
  }

  add(socket: WebSocketConnection): void {
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }

  broadcast(message: string | Uint8Array, except?: WebSocketConnection): number {
    let sent = 0;
    for (const socket of this.#open) if (socket !== except && this.send(message, socket)) sent += 1;
    return sent;
  }

  /** Sends a message to one connection, or closes it when too much waits for it. @returns whether it was sent */
  send(message: string | Uint8Array, socket: WebSocketConnection): boolean {
    if (socket.readyState !== socket.OPEN) return false;
    if (socket.bufferedAmount <= this.maxBuffered) {
      socket.send(message);
      return true;
    }
    this.#notRead += 1;
    socket.close(POLICY_VIOLATION, 'messages are not read');
    return false;
  }
}
