import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import Koa from 'koa';
import { fwError, type HttpContext, type Logger, PROBLEM_MEDIA_TYPE, statusOf, toProblem } from '../../kernel/index.js';
import { answerProblem, writeProblem } from './error-response.js';
import { believeProxies } from './forwarded-request.js';
import { HTTP_ERRORS } from './errors.js';
import type { InFlight } from './in-flight.js';
import { DEFAULT_FIELD_LIMIT, queryPairs } from './input-bounds.js';
import { chainOf, type ChainStep } from './middleware-chain.js';
import type { HttpOptions } from './options.js';
import { decidedUrl, decideTarget, harmlessTarget, TAKES_ENCODED_SLASH } from './request-target.js';
import { signalOf } from './request-signal.js';
import { writtenBody } from './response-body.js';
import { signCookies } from './signed-cookies.js';
import { streamStart } from './stream-start.js';

type Chain = (context: Koa.Context) => Promise<unknown>;

// Documented by Koa, missing in its types.
const koaHandleRequest = (
  Koa.prototype as unknown as { handleRequest: (context: Koa.Context, chain: Chain) => Promise<unknown> }
).handleRequest;

/** The options of the http plugin that an application needs. */
export type ApplicationSettings = Partial<Pick<HttpOptions, 'trustedProxies' | 'fieldLimit' | 'cookieKeys'>>;

/** Koa with fw's context fields, its errors as problem+json, and its log. */
export class KoaApplication extends Koa {
  readonly #log: Logger;
  #observers: readonly ChainStep[] = [];
  #inFlight: InFlight | undefined;

  /**
   * @param log - gets what no middleware caught
   * @param settings - see the options of the http plugin
   */
  constructor(
    log: Logger,
    { trustedProxies = [], fieldLimit = DEFAULT_FIELD_LIMIT, cookieKeys = [] }: ApplicationSettings = {},
  ) {
    super();
    if (cookieKeys.length > 0) signCookies(this, cookieKeys);
    this.#log = log;
    Object.assign(this.context, { params: Object.freeze({}), route: undefined, input: undefined, user: undefined });
    believeProxies(this, trustedProxies);
    readWholeQueries(this, fieldLimit);
    Object.defineProperty(this.context, 'signal', { configurable: true, get: signalOf });
    Object.defineProperty(this.request, 'URL', { configurable: true, get: urlOf });
    takeHeadsOverHttp2(this);
    this.context.onerror = onError;
    this.on('error', (error: unknown, context?: HttpContext) => this.#report(error, context));
  }

  /**
   * Says what deciding a request target needs to know.
   *
   * @param observers - middlewares that also see the requests that are refused for their target, outermost first
   * @param takesEncodedSlash - whether the route that answers a path takes an encoded slash as data
   */
  targetRules(observers: readonly ChainStep[], takesEncodedSlash: (method: string, path: string) => boolean): void {
    this.#observers = observers;
    Object.assign(this.context, { [TAKES_ENCODED_SLASH]: takesEncodedSlash });
  }

  /** Bounds the requests that are answered at a time. */
  boundInFlight(inFlight: InFlight): void {
    this.#inFlight = inFlight;
  }

  /** The chain of a request: the one of all middlewares, unless its target is refused. Decided before any of them runs. */
  protected chainFor<Any extends (context: Koa.Context) => unknown>(context: Koa.Context, chain: Any): Any {
    try {
      decideTarget(context as unknown as HttpContext);
      const refusal = this.#inFlight?.admit(context as unknown as HttpContext);
      // It is said now and then, and not once for each.
      return refusal === undefined ? chain : (this.#observed((each) => writeProblem(each, refusal)) as Any);
    } catch (refusal) {
      return this.#refuse(context, refusal) as Any;
    }
  }

  #refuse({ req }: Koa.Context, refusal: unknown): Chain {
    req.url = harmlessTarget(req.url as string);
    return this.#observed((context) => answerProblem(context, refusal));
  }

  #observed(answer: ChainStep): Chain {
    const run = chainOf([...this.#observers, answer]);
    return async (context) => run(context as unknown as HttpContext, () => Promise.resolve());
  }

  // `throw null` would look to Koa like a request that ended well, and would never be answered.
  handleRequest(context: Koa.Context, chain: Chain): unknown {
    const decided = this.chainFor(context, chain);
    return koaHandleRequest.call(this, context, (ctx) =>
      decided(ctx).then(() => prepareForKoa(ctx as HttpContext), somethingThrown),
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

// Koa asks the stream, whose end for bodies Node closes at once when the request is HEAD: its answer would lack a length, and an error
// would cut it.
function takeHeadsOverHttp2(app: Koa): void {
  const { get } = Object.getOwnPropertyDescriptor(
    Object.getPrototypeOf(app.response),
    'writable',
  ) as PropertyDescriptor;
  Object.defineProperty(app.response, 'writable', {
    configurable: true,
    get(this: Koa.Response) {
      const { req, res } = this;
      if (req.httpVersionMajor === 1 || req.method !== 'HEAD') return get?.call(this) as boolean;
      return !res.writableEnded && !res.destroyed;
    },
  });
}

interface ParsedQuery {
  [QUERY]?: { readonly text: string; readonly pairs: ParsedUrlQuery };
}

const QUERY = Symbol('fw.http.query');

// Koa's own `query` has 1,000 pairs of a longer one. What is there is kept, as Koa does, so that a middleware may change it.
function readWholeQueries(app: Koa, fieldLimit: number): void {
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(app.request), 'query') ?? {};
  Object.defineProperty(app.request, 'query', {
    configurable: true,
    set,
    get(this: Koa.Request & ParsedQuery) {
      const text = this.querystring;
      if (this[QUERY]?.text !== text) this[QUERY] = { text, pairs: queryPairs(text, fieldLimit) };
      return this[QUERY]?.pairs;
    },
  });
}

/**
 * Writes what Koa would send as JSON, where it would send it: its own words for what JSON cannot say name no route. Of a stream
 * it waits for the beginning.
 */
export function prepareForKoa(context: HttpContext): Promise<void> | undefined {
  const { respond, writable, headerSent, status } = context;
  if (respond === false || !writable || headerSent || EMPTY.has(status)) return undefined;
  const text = writtenBody(context);
  // As Koa does for JSON, and not for text.
  if (text !== undefined) context.length = Buffer.byteLength(text);
  return streamStart(context);
}

// Statuses whose body Koa drops.
const EMPTY = new Set([204, 205, 304]);

function somethingThrown(error: unknown): never {
  throw error ?? nothingThrown(error);
}

function nothingThrown(value: unknown) {
  return fwError(HTTP_ERRORS.FW_HTTP_THROWN_NOTHING, { value: String(value) });
}

// Koa's own is made of `originalUrl`, so that a middleware which decides by it would see another spelling than all others.
function urlOf(this: Koa.Request & { memoizedURL?: URL }): URL {
  const target = decidedUrl(this.ctx as unknown as HttpContext) ?? this.originalUrl;
  const text = `${this.protocol}://${this.host}${target}`;
  return (this.memoizedURL ??= URL.canParse(text) ? new URL(text) : (Object.create(null) as URL));
}

/** Koa's last resort for errors that no middleware caught; its own drops every header that was set. */
function onError(this: HttpContext, error: unknown): void {
  if (error === null || error === undefined) return;
  try {
    answerError(this, error);
  } catch (second) {
    // Nobody is left to catch it, and an error that cannot be answered must not end the process.
    giveUp(this, second);
  }
}

function answerError(context: HttpContext, error: unknown): void {
  const { app, res } = context;
  app.emit('error', error, context);
  if (res.writableFinished) return;
  if (context.headerSent || !context.writable) {
    // The status is out already; cutting the connection is the only way to say that the body is not complete.
    res.destroy();
    return;
  }
  writeProblem(context, error);
  res.end(context.method === 'HEAD' ? undefined : (context.body as string));
}

// Without a single header or word of the application: one of them is what failed.
function giveUp({ res }: HttpContext, cause: unknown): void {
  const lost = fwError(HTTP_ERRORS.FW_HTTP_ERROR_UNWRITABLE, { reason: textOf(cause) }, { cause });
  process.emitWarning(lost.message, { code: lost.code, detail: stackOf(cause) });
  try {
    if (res.headersSent) throw lost;
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.statusCode = lost.status;
    res.statusMessage = STATUS_CODES[lost.status] as string;
    res.setHeader('Connection', 'close');
    res.setHeader('Content-Type', PROBLEM_MEDIA_TYPE);
    res.end(res.req.method === 'HEAD' ? undefined : JSON.stringify(toProblem(lost)));
  } catch {
    res.destroy();
  }
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? String(cause.stack) : '';
}

// What was thrown may refuse to be text.
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

const DISCONNECTS = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

function isDisconnect(error: unknown): boolean {
  return DISCONNECTS.has((error as { code?: string } | undefined)?.code ?? '');
}

/** What Node calls for each request. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;
