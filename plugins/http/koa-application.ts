import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import { fwError, type HttpContext, type Logger, statusOf } from '../../kernel/index.js';
import { writeProblem } from './error-response.js';
import { believeProxies } from './forwarded-request.js';
import { HTTP_ERRORS } from './errors.js';
import { writtenBody } from './response-body.js';

type Chain = (context: Koa.Context) => Promise<unknown>;

// Documented by Koa, missing in its types.
const koaHandleRequest = (
  Koa.prototype as unknown as { handleRequest: (context: Koa.Context, chain: Chain) => Promise<unknown> }
).handleRequest;

/** Koa with fw's context fields, its errors as problem+json, and its log. */
export class KoaApplication extends Koa {
  readonly #log: Logger;

  /**
   * @param log - gets what no middleware caught
   * @param trustedProxies - addresses or ranges; see the option of the http plugin
   */
  constructor(log: Logger, trustedProxies: readonly string[] = []) {
    super();
    this.#log = log;
    Object.assign(this.context, { params: Object.freeze({}), route: undefined, input: undefined });
    believeProxies(this, trustedProxies);
    Object.defineProperty(this.context, 'signal', { configurable: true, get: signalOf });
    this.context.onerror = onError;
    this.on('error', (error: unknown, context?: HttpContext) => this.#report(error, context));
  }

  // `throw null` would look to Koa like a request that ended well, and would never be answered.
  handleRequest(context: Koa.Context, chain: Chain): unknown {
    return koaHandleRequest.call(this, context, (ctx) =>
      chain(ctx).then(() => writeForKoa(ctx as HttpContext), somethingThrown),
    );
  }

  /** The error for `throw null` and its kin. */
  protected nothingThrown(value: unknown): unknown {
    return nothingThrown(value);
  }

  #report(error: unknown, context: HttpContext | undefined): void {
    const request = context && { method: context.method, path: context.path };
    if (isDisconnect(error)) this.#log.debug({ ...request, err: error }, 'the client went away');
    else if (statusOf(error) >= 500) this.#log.error({ ...request, err: error }, 'request failed');
    else this.#log.debug({ ...request, err: error }, 'request refused');
  }
}

/** Writes what Koa would send as JSON, where it would send it: its own words for what JSON cannot say name no route. */
export function writeForKoa(context: HttpContext): void {
  const { respond, writable, headerSent, status } = context;
  if (respond === false || !writable || headerSent || EMPTY.has(status)) return;
  const text = writtenBody(context);
  // As Koa does for JSON, and not for text.
  if (text !== undefined) context.length = Buffer.byteLength(text);
}

// Statuses whose body Koa drops.
const EMPTY = new Set([204, 205, 304]);

function somethingThrown(error: unknown): never {
  throw error ?? nothingThrown(error);
}

function nothingThrown(value: unknown) {
  return fwError(HTTP_ERRORS.FW_HTTP_THROWN_NOTHING, { value: String(value) });
}

const SIGNAL = Symbol('fw.http.signal');

function signalOf(this: HttpContext & { [SIGNAL]?: AbortSignal }): AbortSignal {
  return (this[SIGNAL] ??= abortedWithResponse(this.res));
}

function abortedWithResponse(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!response.writableFinished) controller.abort();
  };
  if (response.destroyed) abort();
  else response.once('close', abort);
  return controller.signal;
}

/** Koa's last resort for errors that no middleware caught; its own drops every header that was set. */
function onError(this: HttpContext, error: unknown): void {
  if (error === null || error === undefined) return;
  this.app.emit('error', error, this);
  if (this.res.writableFinished) return;
  if (this.headerSent || !this.writable) {
    // The status is out already; cutting the connection is the only way to say that the body is not complete.
    this.res.destroy();
    return;
  }
  writeProblem(this, error);
  this.res.end(this.method === 'HEAD' ? undefined : (this.body as string));
}

const DISCONNECTS = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

function isDisconnect(error: unknown): boolean {
  return DISCONNECTS.has((error as { code?: string } | undefined)?.code ?? '');
}

/** What Node calls for each request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;
