import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fwError, type Logger, milliseconds } from '../../kernel/index.js';
import { listen, type Listening } from '../../kernel/net/index.js';
import { HTTP_ERRORS } from './errors.js';
import { Http2Sessions, slowest } from './http2/http2-sessions.js';
import { whenSpoken } from './http2/preface.js';
import type { RequestListener } from './koa-application.js';
import type { HttpOptions } from './options.js';
import { isSame, namesFiles, type TlsMaterial, tlsMaterial } from './tls/tls-material.js';
import { DEFAULT_RELOAD } from './tls/tls-options.js';

/** How often connections that became idle while draining are looked for, in milliseconds. */
const DRAIN_SWEEP_MS = 20;

/** Milliseconds that a connection has for its first request, where it was accepted by the process above and handed over while draining. */
const HANDED_OVER_MS = 100;

/** How often connections that are too slow are looked for, in milliseconds. */
const CHECK_CONNECTIONS_MS = 1000;

/** Classes of Node's server that the application brings its own of. */
type Classes = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** What a listener is made of. */
export interface ListenerParts {
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
   * Open connections, with TLS also as they are inside, and how much each had sent before it could ask for anything. Node counts those
   * without a request so far as active, so draining closes them.
   */
  readonly #sockets = new Map<Socket, number>();
  readonly #http2: Http2Sessions | undefined;
  #listening: Listening | undefined;
  #isDraining = false;
  #reloading: NodeJS.Timeout | undefined;

  private constructor(
    private readonly parts: ListenerParts,
    private material: TlsMaterial | undefined,
  ) {
    const { options, log } = parts;
    const { tls, http2 = tls !== undefined } = options;
    this.#http2 = http2 ? new Http2Sessions(options, parts.answerHttp2, log) : undefined;
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

  /** Whether connections are to be closed behind the request that they are in. */
  get isRetiring(): boolean {
    return this.#listening?.isRetiring ?? false;
  }

  /**
   * Refuses new connections, and ends those that there are with their last answer.
   *
   * @param timeoutMs - what is still there then is cut
   * @param cutting - called before
   */
  async drain(timeoutMs: number, cutting: () => void): Promise<void> {
    const { server } = this;
    clearInterval(this.#reloading);
    this.#isDraining = true;
    // Who was handed over a moment ago has a request on the way.
    const silent = this.isHeld ? setTimeout(() => this.#endSilent(), HANDED_OVER_MS) : undefined;
    if (!this.isHeld) this.#endSilent();
    this.#http2?.drain();
    const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_SWEEP_MS);
    const deadline = setTimeout(() => {
      cutting();
      this.#http2?.cut();
      server.closeAllConnections();
    }, timeoutMs);
    await this.#listening?.close();
    clearTimeout(silent);
    clearInterval(sweep);
    clearTimeout(deadline);
  }

  // Of clients that connected and asked nothing.
  #endSilent(): void {
    for (const [socket, greeting] of this.#sockets) if (socket.bytesRead === greeting) socket.destroy();
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
      // A second Authorization header must not hide behind the first: joined, it fails to parse.
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

  // Node's server of https serves what it gets in HTTP/1.1. Only who has chosen HTTP/2 in the handshake goes elsewhere.
  #acceptTls(): void {
    const serve = taken(this.server, 'secureConnection');
    this.server.on('secureConnection', (socket: TLSSocket) => {
      // Its handshake was under way when the server began to stop.
      if (this.#isDraining) return void socket.destroy();
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
    this.#sockets.set(socket, socket.bytesRead);
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
            // Certificate and key are seldom written at once; the next look finds both. The same is said once.
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

// What Node's server does with a connection: whoever takes it away calls it.
function taken(server: Server, event: string): (socket: Socket) => void {
  const listeners = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number) {
  if (cause.code === 'EADDRINUSE') return fwError(HTTP_ERRORS.FW_HTTP_PORT_IN_USE, { host, port }, { cause });
  return fwError(HTTP_ERRORS.FW_HTTP_LISTEN, { host, port, reason: cause.message }, { cause });
}
