import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Koa from 'koa';
import { type HttpContext, isThenable, type Logger } from '../../../kernel/index.js';
import { followStatus } from '../error-response.js';
import { jsonBody } from '../json-body.js';
import { type ApplicationSettings, KoaApplication, prepareForKoa } from '../koa-application.js';
import { chainOf, type ChainStep } from '../middleware-chain.js';
import { type FastContext, fastContextClass, isPlain } from './fast-context.js';
import { LineResponse } from './line-response.js';

/** All middlewares of an application; returns a promise only if it is asynchronous. */
type Chain = (context: Koa.Context) => unknown;

const HOOKED = Symbol('fw.http.hooked');
const CONTEXT = Symbol('fw.http.context');

interface HookedSocket extends Socket {
  [HOOKED]?: true;
  /** Node's own: the response that is being written. Only read, to find the request of an error. */
  readonly _httpMessage?: ServerResponse & { [CONTEXT]?: FastContext };
}

const stockHandleRequest = (
  Koa.prototype as unknown as { handleRequest(context: Koa.Context, chain: Chain): Promise<unknown> }
).handleRequest;

/**
 * Koa with less work per request: one listener per connection in place of four per response, contexts of one object, and ordinary bodies
 * (text, bytes, JSON) written directly. Everything else is left to Koa.
 */
export class FastApplication extends KoaApplication {
  readonly #Context: new (req: IncomingMessage, res: ServerResponse) => FastContext;

  constructor(log: Logger, settings: ApplicationSettings = {}) {
    super(log, settings);
    this.#Context = fastContextClass(this);
    Object.assign(this, { compose: composed });
  }

  override createContext<State = Koa.DefaultState>(
    req: IncomingMessage,
    res: ServerResponse,
  ): Koa.ParameterizedContext<State> {
    const context = new this.#Context(req, res);
    (res as { [CONTEXT]?: FastContext })[CONTEXT] = context;
    return context as unknown as Koa.ParameterizedContext<State>;
  }

  override handleRequest(context: Koa.Context, chain: Chain): unknown {
    // Over HTTP/2 the socket belongs to all requests, and Node handles its errors.
    if (context.req.httpVersionMajor === 1) listenOnce(context.req.socket as HookedSocket);
    context.res.statusCode = 404;
    try {
      const pending = this.chainFor(context, chain)(context);
      if (isThenable(pending)) return this.#finish(context, pending);
      return respond(this, context as unknown as FastContext);
    } catch (error) {
      return this.#fail(context, error);
    }
  }

  async #finish(context: Koa.Context, pending: PromiseLike<unknown>): Promise<unknown> {
    try {
      await pending;
      return respond(this, context as unknown as FastContext);
    } catch (error) {
      return this.#fail(context, error);
    }
  }

  #fail(context: Koa.Context, error: unknown): void {
    context.onerror((error ?? this.nothingThrown(error)) as Error);
  }
}

function composed(middlewares: readonly ChainStep[]): Chain {
  const run = chainOf(middlewares);
  return (context) => run(context as unknown as HttpContext, nothingFollows);
}

function nothingFollows(): Promise<void> {
  return Promise.resolve();
}

function listenOnce(socket: HookedSocket): void {
  if (socket[HOOKED]) return;
  socket[HOOKED] = true;
  socket.on('error', reportSocketError);
}

function reportSocketError(this: HookedSocket, error: Error): void {
  this._httpMessage?.[CONTEXT]?.onerror(error);
}

function respond(app: FastApplication, context: FastContext): unknown {
  const { res } = context;
  if (res.statusCode >= 400) followStatus(context as unknown as HttpContext);
  // Reads the field and not Koa's getter.
  const body = context.body;
  if (isOrdinary(context, body)) {
    if (typeof body === 'string') return endText(res, body);
    if (Buffer.isBuffer(body)) return endBytes(res, body);
    if (isPlain(body)) return endJson(res, jsonBody(context as unknown as HttpContext, body));
  }
  const start = prepareForKoa(context as unknown as HttpContext);
  const status = res.statusCode;
  return stockHandleRequest.call(app, context as unknown as Koa.Context, () => {
    res.statusCode = status;
    return start ?? Promise.resolve();
  });
}

function isOrdinary({ req, res, respond }: FastContext, body: unknown): boolean {
  const status = res.statusCode;
  return (
    respond !== false &&
    body !== undefined &&
    body !== null &&
    !res.headersSent &&
    !res.destroyed &&
    status >= 200 &&
    status !== 204 &&
    status !== 205 &&
    status !== 304 &&
    req.method !== 'HEAD' &&
    req.httpVersionMajor === 1 &&
    req.httpVersionMinor === 1
  );
}

// Like Koa, sets the length of JSON, even if a handler has set or removed it.
function endJson(res: ServerResponse, text: string): void {
  if (!(res instanceof LineResponse) || res.hasUnusualLength) res.setHeader('Content-Length', Buffer.byteLength(text));
  endText(res, text);
}

function endText(res: ServerResponse, text: string): void {
  const length = Buffer.byteLength(text);
  if (res instanceof LineResponse && res.isReplaced) return endLikeKoa(res, text, length);
  // ASCII is the same in both encodings, and Node writes latin1 without a conversion.
  const isAscii = length === text.length && (!(res instanceof LineResponse) || res.hasAsciiHead);
  const encoding = isAscii ? 'latin1' : 'utf8';
  if (res instanceof LineResponse) res.endOnce(text, encoding, length);
  else res.end(text, encoding);
}

// Who replaced `end` sees what Koa would have given it: the body as it is, and its length among the headers.
function endLikeKoa(res: LineResponse, body: string | Buffer, length: number): void {
  if (!res.hasUnusualLength) res.setHeader('Content-Length', length);
  res.end(body);
}

/** Larger bodies are not copied into one string with the head. */
const COPIED_BYTES = 16_384;

function endBytes(res: ServerResponse, bytes: Buffer): void {
  if (res instanceof LineResponse && res.isReplaced) return endLikeKoa(res, bytes, bytes.length);
  if (res instanceof LineResponse && bytes.length <= COPIED_BYTES) {
    return res.endOnce(bytes.toString('latin1'), 'latin1', bytes.length);
  }
  res.end(bytes);
}
