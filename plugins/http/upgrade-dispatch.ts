import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpUpgrade } from '../../kernel/index.js';
import { PlainResponse } from './plain-response.js';
import { hostError, plainPath } from './request-target.js';

/** A connection that asks for another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  /** Bytes that the client has sent after its headers. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** The connection of a request to upgrade; undefined for any other request. */
export function upgradeOf(request: IncomingMessage): Upgrade | undefined {
  return (request as { readonly upgrade?: boolean }).upgrade ? upgrades.get(request) : undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Connections that another worker process serves. */
export interface Elsewhere {
  isHeld(target: string | undefined): boolean;
  readonly forwarder: { upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void };
}

/** Dispatches upgrades: to handlers of plugins by their paths, or to WebSocket routes. */
export class UpgradeDispatch {
  readonly #byPath: ReadonlyMap<string, HttpUpgrade>;

  /**
   * @param hasWebSockets - whether the application has WebSocket routes; its middlewares then see every request for one
   * @param elsewhere - connections that another worker serves
   */
  constructor(
    handlers: readonly HttpUpgrade[],
    private readonly hasWebSockets: boolean,
    private readonly elsewhere?: Elsewhere,
  ) {
    this.#byPath = new Map(handlers.map((handler) => [handler.path, handler]));
  }

  /** Whether there is no handler for any upgrade. */
  get isIdle(): boolean {
    return !this.hasWebSockets && this.#byPath.size === 0 && this.elsewhere === undefined;
  }

  /** Whether a request asks for a supported protocol. Any other upgrade is ignored (RFC 9110, section 7.8). */
  isOurs(request: IncomingMessage): boolean {
    const { method, httpVersion, headers } = request;
    if (method !== 'GET' || httpVersion !== '1.1' || headers.upgrade === undefined) return false;
    if (hostError(request)) return false;
    const protocol = headers.upgrade.toLowerCase();
    if (this.elsewhere?.isHeld(request.url)) return protocol === WEBSOCKET;
    return (this.hasWebSockets && protocol === WEBSOCKET) || this.#handlerOf(request, protocol) !== undefined;
  }

  /** Passes the connection to its handler, or the request to the application. */
  dispatch(request: IncomingMessage, socket: Duplex, head: Buffer, answer: Answer): unknown {
    if (this.elsewhere?.isHeld(request.url)) return this.elsewhere.forwarder.upgrade(request, socket, head);
    const handler = this.#handlerOf(request, request.headers.upgrade?.toLowerCase());
    if (handler) return handler.handle(request, socket, head);
    upgrades.set(request, { socket, head });
    return answer(request, responseOn(request, socket));
  }

  #handlerOf({ url }: IncomingMessage, protocol: string | undefined): HttpUpgrade | undefined {
    const handler = this.#byPath.get(plainPath(url ?? '') ?? '');
    return protocol === (handler?.protocol ?? WEBSOCKET) ? handler : undefined;
  }
}

const WEBSOCKET = 'websocket';

/**
 * A request class for Node's server that reports an upgrade only for a supported protocol. With an upgrade listener Node would treat every
 * upgrade request as one, and leave its body unread. (Node 24.9 has `shouldUpgradeCallback` for that.)
 */
export function requestClass(upgrades: UpgradeDispatch): typeof IncomingMessage {
  class Request extends IncomingMessage {
    #isOurs: boolean | undefined;
    declare private isAsking: unknown;

    get upgrade(): boolean {
      return this.isAsking === true && (this.#isOurs ??= upgrades.isOurs(this));
    }

    // Node sets it in its own constructor, before private members exist, and again after it has parsed the headers.
    set upgrade(value: unknown) {
      this.isAsking = value;
    }
  }
  return Request;
}

/**
 * After an ignored upgrade, Node's parser drops pipelined data of the same packet. So the connection is closed after the response, and the
 * client repeats pipelined requests; it is kept if there can have been none.
 */
export function closeAfterIgnored(request: IncomingMessage, response: ServerResponse): void {
  if (!/\bupgrade\b/i.test(request.headers.connection ?? '')) return;
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const keepAlive = () => {
    if (!response.headersSent && isAlone(request)) response.shouldKeepAlive = shouldKeepAlive;
  };
  if (isAlone(request)) keepAlive();
  else if (request.headers['content-length'] !== undefined) request.once('end', keepAlive);
}

// Whether a request is the first of its connection, and nothing but its head and body has come.
function isAlone({ socket, method, url, rawHeaders, headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  // Two characters after each name and each value: colon and blank, and the line end.
  const lines = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0);
  const head = `${method} ${url} HTTP/1.1\r\n`.length + lines + 2;
  return socket.bytesRead === head + Number(headers['content-length'] ?? 0);
}

// Node makes no response for a request to upgrade. This one ends the connection when it ends, unless it was detached.
function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new PlainResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  return response;
}
