import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fwError, type Logger, milliseconds } from '../../kernel/index.js';
import { listen, type Listening, StalledClients } from '../../kernel/net/index.js';
import { HTTP_ERRORS } from './errors.js';
import { closeLingering } from './lingering-close.js';
import { FIRST_REQUEST_MS, Http2Sessions, slowest } from './http2/http2-sessions.js';
import { whenSpoken } from './http2/preface.js';
import type { RequestListener } from './koa-application.js';
import type { HttpOptions } from './options.js';
import { isSame, namesFiles, type TlsMaterial, tlsMaterial } from './tls/tls-material.js';
import { DEFAULT_RELOAD } from './tls/tls-options.js';

/** Interval of the search for idle connections while draining, in milliseconds. */
const DRAIN_SWEEP_MS = 20;

/** Interval of the search for connections that are too slow, in milliseconds. */
const CHECK_CONNECTIONS_MS = 1000;

/** Classes of requests and responses that the application supplies. */
type Classes = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** An open connection. */
interface Opened {
  /** Milliseconds, as `performance.now()` has them. */
  readonly at: number;
  /** Bytes that it had received before its first request. */
  readonly greeting: number;
}

/** Parts of a listener. */
interface ListenerParts {
  readonly options: HttpOptions;
  readonly log: Logger;
  /** Folder that relative paths of the options start from. */
  readonly root: string;
  readonly classes: Classes;
  /** Answers a request over HTTP/1.1. */
  readonly answer: RequestListener;
  /** Answers one over HTTP/2. */
  readonly answerHttp2: RequestListener;
}

/** The socket of an application: HTTP/1.1 and HTTP/2, with TLS or without. */
export class Listener {
  /** Node's server of HTTP/1.1, which holds the socket. */
  readonly server: Server;
  /**
   * Open connections (with TLS also the decrypted ones). Node counts those without a request as active up to Node 24, and as idle later, so
   * draining closes them itself.
   */
  readonly #sockets = new Map<Socket, Opened>();
  readonly #http2: Http2Sessions | undefined;
  readonly #stalled: StalledClients;
  #listening: Listening | undefined;
  #reloading: NodeJS.Timeout | undefined;

  private constructor(
    private readonly parts: ListenerParts,
    private material: TlsMaterial | undefined,
  ) {
    const { options, log } = parts;
    const { tls, http2 = tls !== undefined } = options;
    const limit = milliseconds(options.sendTimeout);
    this.#stalled = new StalledClients({ limit, log, sockets: () => this.#sending() });
    this.#http2 = http2 ? new Http2Sessions(options, parts.answerHttp2, log, this.#stalled) : undefined;
    this.server = material ? this.#tlsServer(material) : createServer(this.#limits(), parts.answer);
    if (material) this.#acceptTls();
    else if (this.#http2) this.#acceptPlain(this.#http2);
    this.server.on('connection', (socket: Socket) => this.#watch(socket));
  }

  /** @throws FwError `FW_HTTP_TLS_FILE` or `FW_HTTP_TLS_INVALID` when there is no such certificate */
  static async create(parts: ListenerParts): Promise<Listener> {
    const { tls } = parts.options;
    return new Listener(parts, tls && (await tlsMaterial(tls, parts.root)));
  }

  /**
   * Opens the socket.
   * @throws FwError `FW_HTTP_PORT_IN_USE`, or `FW_HTTP_LISTEN` for any other reason
   */
  async listen(): Promise<AddressInfo> {
    const { host, port, tls } = this.parts.options;
    this.#listening = await listen(this.server, { host, port }).catch((cause: NodeJS.ErrnoException) => {
      throw listenError(cause, host, port);
    });
    if (tls && namesFiles(tls)) this.#reloadEvery(milliseconds(tls.reload ?? DEFAULT_RELOAD));
    return this.#listening.address;
  }

  /** Whether another process, `fw dev`, accepts the connections and hands them over. */
  get isHeld(): boolean {
    return this.#listening?.held ?? false;
  }

  /** How many clients were cut because they took nothing of their answer. */
  get stalledClients(): number {
    return this.#stalled.cut;
  }

  /** Whether each connection is closed after its current request. */
  get isRetiring(): boolean {
    return this.#listening?.isRetiring ?? false;
  }

  /**
   * Refuses new connections, and closes existing ones after their last response.
   *
   * @param timeoutMs - time after which remaining connections are cut
   * @param cutting - called before they are cut
   */
  async drain(timeoutMs: number, cutting: () => void): Promise<void> {
    const { server } = this;
    clearInterval(this.#reloading);
    this.#http2?.drain();
    const sweep = setInterval(() => {
      // What came until now is read before the phase of the event loop in which its connection may count as silent, however long this
      // process is busy in between.
      const now = performance.now();
      setImmediate(() => this.#closeIdle(now));
    }, DRAIN_SWEEP_MS);
    const deadline = setTimeout(() => {
      cutting();
      this.#http2?.cut();
      server.closeAllConnections();
      // Node's server does not know those in a handshake.
      for (const socket of this.#sockets.keys()) socket.destroy();
    }, timeoutMs);
    // Node's server ends idle connections when it closes, those too whose next request has come and was not read yet.
    await untilRead();
    await this.#listening?.close();
    this.#stalled.stop();
    clearInterval(sweep);
    clearTimeout(deadline);
  }

  // Leaves connections that were opened a moment ago, whose handshake or first request is on its way. @param now - of what has been read
  #closeIdle(now: number): void {
    const isInHandshake = this.#handshakes();
    const early = [...this.#sockets].filter(
      ([socket, { greeting }]) => socket.bytesRead === greeting || isInHandshake(socket),
    );
    const late = early.filter(([, { at }]) => now - at >= FIRST_REQUEST_MS);
    for (const [socket] of late) socket.destroy();
    if (late.length === early.length) this.server.closeIdleConnections();
  }

  // Node does not tell which connection a decrypted one belongs to, but both have the address of the client.
  #handshakes(): (socket: Socket) => boolean {
    if (!this.material) return () => false;
    const clientOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
    const decrypted = new Set([...this.#sending()].map(clientOf));
    return (socket) => !('encrypted' in socket) && !decrypted.has(clientOf(socket));
  }

  // With TLS the decrypted connections, which know what waits for encryption too.
  #sending(): Iterable<Socket> {
    const all = this.#sockets.keys();
    return this.material ? [...all].filter((socket) => 'encrypted' in socket) : all;
  }

  #limits(): ServerOptions {
    const { maxHeaderSize, keepAliveTimeout, headersTimeout } = this.parts.options;
    return {
      maxHeaderSize,
      keepAliveTimeout: milliseconds(keepAliveTimeout),
      headersTimeout: milliseconds(headersTimeout),
      requestTimeout: slowest(this.parts.options),
      // Node looks for connections that are too slow every 30 s unless it is told otherwise.
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // A second Authorization header must not be ignored: joined with the first, it fails to parse.
      joinDuplicateHeaders: true,
      ...this.parts.classes,
    };
  }

  #tlsServer({ context }: TlsMaterial): Server {
    const { headersTimeout } = this.parts.options;
    return createTlsServer(
      {
        ...this.#limits(),
        ...context,
        ALPNProtocols: this.#http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
        handshakeTimeout: milliseconds(headersTimeout) || undefined,
        ...(context.ca !== undefined && { requestCert: true, rejectUnauthorized: true }),
      },
      this.parts.answer,
    );
  }

  // Node's https server handles HTTP/1.1 connections; those that chose HTTP/2 in the handshake are passed on.
  #acceptTls(): void {
    const serve = taken(this.server, 'secureConnection');
    this.server.on('secureConnection', (socket: TLSSocket) => {
      this.#watch(socket);
      if (this.#http2 && socket.alpnProtocol === 'h2') this.#http2.accept(socket);
      else serve(socket);
    });
    this.server.on('tlsClientError', (error: Error) => this.parts.log.debug({ err: error }, 'a TLS handshake failed'));
  }

  #acceptPlain(http2: Http2Sessions): void {
    const serve = taken(this.server, 'connection');
    const patience = milliseconds(this.parts.options.headersTimeout);
    this.server.on('connection', (socket: Socket) => {
      whenSpoken(socket, patience, (isHttp2) => (isHttp2 ? http2.accept(socket) : serve(socket)));
    });
  }

  #watch(socket: Socket): void {
    this.#sockets.set(socket, { at: performance.now(), greeting: socket.bytesRead });
    closeLingering(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #reloadEvery(interval: number): void {
    if (interval === 0) return;
    let isBusy = false;
    let failed: string | undefined;
    this.#reloading = setInterval(() => {
      if (isBusy) return;
      isBusy = true;
      void this.#reload()
        .then(
          () => (failed = undefined),
          (error: Error) => {
            // Certificate and key are rarely replaced at the same moment; the next attempt finds both. The same error is logged once.
            if (failed !== error.message) this.parts.log.error({ err: error }, 'the certificate was not reloaded');
            failed = error.message;
          },
        )
        .finally(() => (isBusy = false));
    }, interval).unref();
  }

  async #reload(): Promise<void> {
    const { options, root, log } = this.parts;
    const material = await tlsMaterial(options.tls as never, root);
    if (this.material && isSame(material, this.material)) return;
    this.material = material;
    (this.server as unknown as { setSecureContext(options: object): void }).setSecureContext(material.context);
    log.info({ validTo: material.validTo }, 'the certificate was reloaded');
  }
}

// Node's own handler of a connection, to be called for connections that are not passed on.
function taken(server: Server, event: string): (socket: Socket) => void {
  const listeners = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
}

/** Resolves when everything that came until now has been read: the event loop reads between two of its check phases. */
function untilRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number) {
  if (cause.code === 'EADDRINUSE') return fwError(HTTP_ERRORS.FW_HTTP_PORT_IN_USE, { host, port }, { cause });
  return fwError(HTTP_ERRORS.FW_HTTP_LISTEN, { host, port, reason: cause.message }, { cause });
}
