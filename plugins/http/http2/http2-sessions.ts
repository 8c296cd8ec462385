import type { Socket } from 'node:net';
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import {
  type Duration,
  fwError,
  type Logger,
  milliseconds,
  PROBLEM_MEDIA_TYPE,
  toProblem,
} from '../../../kernel/index.js';
import type { StalledClients } from '../../../kernel/net/index.js';
import { HTTP_ERRORS } from '../errors.js';
import type { RequestListener } from '../koa-application.js';
import { Http2Request } from './http2-request.js';
import { Http2Response } from './http2-response.js';

/** Concurrent requests of one connection; nginx has the same default. */
const MAX_STREAMS = 128;

/**
 * Megabytes that may wait on one connection. Above it Node refuses further requests with ENHANCE_YOUR_CALM; with its default of 10 a single
 * larger answer made every other request of its page fail. How many requests are answered at a time bounds memory, over HTTP/1.1 too.
 */
const MAX_SESSION_MEMORY = 256;

/** Milliseconds after the opening of a connection in which its first request may still be on its way while the server drains. */
export const FIRST_REQUEST_MS = 1000;

/** An open connection. */
interface Session {
  /** Milliseconds, as `performance.now()` has them. */
  readonly since: number;
  /** Whether it had a request. */
  isAsked: boolean;
}

/** Limits of the http plugin that apply to HTTP/2. */
interface Http2Limits {
  readonly maxHeaderSize: number;
  readonly keepAliveTimeout: Duration;
  readonly headersTimeout: Duration;
  readonly requestTimeout: Duration;
  readonly sendTimeout: Duration;
}

/** HTTP/2 connections, accepted by any server. */
export class Http2Sessions {
  readonly #server: Http2Server;
  readonly #sessions = new Map<ServerHttp2Session, Session>();
  #isDraining = false;

  constructor(
    private readonly limits: Http2Limits,
    answer: RequestListener,
    private readonly log: Logger,
    private readonly stalled: StalledClients,
  ) {
    const settings = { maxHeaderListSize: limits.maxHeaderSize, maxConcurrentStreams: MAX_STREAMS };
    const classes = { Http2ServerRequest: Http2Request, Http2ServerResponse: Http2Response as never };
    const serve = (request: Http2ServerRequest, response: Http2ServerResponse) => {
      this.#boundUpload(request as Http2Request, response as unknown as Http2Response);
      this.#boundSending(response as unknown as Http2Response);
      answer(request as never, response as never);
    };
    this.#server = createServer({ settings, maxSessionMemory: MAX_SESSION_MEMORY, ...classes }, serve);
    // Node compares the expectation by its letters' case over HTTP/2; it has none (RFC 9110, section 10.1.1).
    this.#server.on('checkExpectation', (request, response) => {
      if (!/^100-continue$/i.test(request.headers.expect as string)) return response.writeHead(417).end();
      response.writeContinue();
      serve(request, response);
    });
    this.#server.on('session', (session) => this.#keep(session));
    this.#server.on('sessionError', (error) => this.log.debug({ err: error }, 'an HTTP/2 connection failed'));
  }

  /** Serves a connection whose client has chosen HTTP/2. */
  accept(socket: Socket): void {
    // An HTTP/1.1 server keeps half-closed connections open for pending responses; HTTP/2 does not.
    socket.allowHalfOpen = false;
    this.#server.emit('connection', socket);
  }

  /**
   * Takes no further requests, and ends each connection with its last answer (GOAWAY: RFC 9113, section 6.8). One that was opened a moment ago
   * has the rest of its first second for its first request.
   */
  drain(): void {
    this.#isDraining = true;
    for (const [session, known] of this.#sessions) this.#retire(session, known);
  }

  #retire(session: ServerHttp2Session, { since, isAsked }: Session): void {
    if (isAsked) return session.close();
    // Behind the phase of the event loop that reads: a request that came in time is answered, also where this process was busy meanwhile.
    const close = () => setImmediate(() => session.close());
    const rest = setTimeout(close, FIRST_REQUEST_MS - (performance.now() - since));
    session.once('close', () => clearTimeout(rest));
  }

  /** Ends each connection at once. */
  cut(): void {
    for (const session of this.#sessions.keys()) session.destroy(undefined, constants.NGHTTP2_CANCEL);
  }

  #keep(session: ServerHttp2Session): void {
    const known = { since: performance.now(), isAsked: false };
    this.#sessions.set(session, known);
    if (this.#isDraining) this.#retire(session, known);
    let open = 0;
    session.on('stream', (stream) => {
      open++;
      known.isAsked = true;
      // Behind the requests that came together with this one.
      if (this.#isDraining) setImmediate(() => session.close());
      stream.once('close', () => open--);
    });
    session.once('close', () => this.#sessions.delete(session));
    // A listener of its own, because Node calls the one of setTimeout() only once.
    session.setTimeout(milliseconds(this.limits.keepAliveTimeout));
    session.on('timeout', () => {
      if (open === 0) session.close();
    });
  }

  // The window of one stream may stay closed on a connection whose others are read (RFC 9113, section 5.2).
  #boundSending(response: Http2Response): void {
    const limit = milliseconds(this.limits.sendTimeout);
    if (limit === 0) return;
    const { stream } = response;
    stream.setTimeout(limit);
    stream.on('timeout', () => {
      if (stream.bufferSize === 0 || stream.destroyed) return;
      response.destroy();
      this.stalled.count();
    });
  }

  // Node bounds slow requests only over HTTP/1.1.
  #boundUpload(request: Http2Request, response: Http2Response): void {
    const limit = slowest(this.limits);
    if (limit === 0 || request.stream.endAfterHeaders) return;
    const timer = setTimeout(() => {
      const problem = toProblem(fwError(HTTP_ERRORS.FW_HTTP_REQUEST_TIMEOUT, { limit: String(limit) }));
      if (response.headersSent) response.destroy();
      else response.writeHead(problem.status, { 'Content-Type': PROBLEM_MEDIA_TYPE }).end(JSON.stringify(problem));
    }, limit);
    const over = () => clearTimeout(timer);
    request.once('end', over).once('close', over);
  }
}

/**
 * How long a request may take to arrive as a whole where its handler reads it by itself, in milliseconds; 0 for no end. Where the framework
 * reads the body, its own limit applies first.
 */
export function slowest({
  headersTimeout,
  requestTimeout,
}: Pick<Http2Limits, 'headersTimeout' | 'requestTimeout'>): number {
  const time = milliseconds(requestTimeout);
  return time === 0 ? 0 : time + milliseconds(headersTimeout);
}
