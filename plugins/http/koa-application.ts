import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import Koa from 'koa';
import { fwError, type HttpContext, type Logger, PROBLEM_MEDIA_TYPE, statusOf, toProblem } from '../../kernel/index.js';
import { isClientGone } from './client-gone.js';
import { answerProblem, followStatus, forgetProblemType, isLogged, writeProblem } from './error-response.js';
import { believeProxies } from './forwarded-request.js';
import { HTTP_ERRORS } from './errors.js';
import type { InFlight } from './in-flight.js';
import { DEFAULT_FIELD_LIMIT, queryPairs } from './input-bounds.js';
import { IterableBody, isIteration } from './iterable-body.js';
import { chainOf, type ChainStep } from './middleware-chain.js';
import { requireMiddleware } from './middleware-step.js';
import type { HttpOptions } from './options.js';
import { decidedUrl, decideTarget, harmlessTarget, TAKES_ENCODED_SLASH } from './request-target.js';
import { signalOf } from './request-signal.js';
import { streamedBody, writtenBody } from './response-body.js';
import { signCookies } from './signed-cookies.js';
import { streamStart } from './stream-start.js';
import { endUnreadWith, headOf, isResponse, isWebBody, joinHead } from './web-body.js';

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
   * @param log - gets errors that no middleware caught
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
    takeBodies(this);
    stateNoWebLength(this);
    this.context.onerror = onError;
    this.on('error', (error: unknown, context?: HttpContext) => this.#report(error, context));
  }

  /**
   * Sets the facts that deciding a request target needs.
   *
   * @param observers - middlewares that also see the requests that are refused for their target, outermost first
   * @param takesEncodedSlash - whether the route that answers a path takes an encoded slash as data
   */
  targetRules(observers: readonly ChainStep[], takesEncodedSlash: (method: string, path: string) => boolean): void {
    this.#observers = observers;
    Object.assign(this.context, { [TAKES_ENCODED_SLASH]: takesEncodedSlash });
  }

  /**
   * Koa's own, for plugins that add middlewares to the application itself.
   * @throws FwError `FW_HTTP_MIDDLEWARE` for a value that is no middleware
   */
  override use<State = Koa.DefaultState, Context = Koa.DefaultContext>(
    handle: Koa.Middleware<State, Context>,
  ): Koa<State, Context> {
    requireMiddleware(handle, 'what `koa.use` got');
    return super.use(handle) as unknown as Koa<State, Context>;
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
      // Refusals are logged at intervals, not one by one.
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

  // Koa would take `throw null` for success, and never answer the request.
  handleRequest(context: Koa.Context, chain: Chain): unknown {
    const decided = this.chainFor(context, chain);
    return koaHandleRequest.call(this, context, (ctx) =>
      decided(ctx).then(() => prepareForKoa(ctx as HttpContext), somethingThrown),
    );
  }

  /** The error for `throw null` and other falsy values. */
  protected nothingThrown(value: unknown): unknown {
    return nothingThrown(value);
  }

  #report(error: unknown, context: HttpContext | undefined): void {
    if (context && isLogged(context, error)) return;
    const request = context && { method: context.method, path: context.path };
    if (context && isClientGone(context, error)) this.#log.debug({ ...request, err: error }, 'the client went away');
    else if (statusOf(error) >= 500) this.#log.error({ ...request, err: error }, 'request failed');
    else this.#log.debug({ ...request, err: error }, 'request refused');
  }
}

// Koa asks whether the stream is writable, but for HEAD Node closes its writable side at once: the response would lack a length, and an
// error would cut it.
function takeHeadsOverHttp2(app: Koa): void {
  const { get } = inherited(app.response, 'writable');
  Object.defineProperty(app.response, 'writable', {
    configurable: true,
    get(this: Koa.Response) {
      const { req, res } = this;
      if (req.httpVersionMajor === 1 || req.method !== 'HEAD') return get?.call(this) as boolean;
      return !res.writableEnded && !res.destroyed;
    },
  });
}

// An iteration is sent item by item. For a body that replaces another, Koa removes the length where it is a Node stream, but keeps it where
// it is a web stream, a Response or JSON's `null`: the client would wait for the rest of a complete body. Koa also ends Node streams with the
// response, but not web streams.
function takeBodies(app: Koa): void {
  const { get, set } = inherited(app.response, 'body');
  Object.defineProperty(app.response, 'body', {
    configurable: true,
    get,
    set(this: Koa.Response, given: unknown) {
      const value = isIteration(given) ? new IterableBody(given) : given;
      const before: unknown = this.body;
      const web = isWebBody(value) ? value : undefined;
      const hasNoLength = value === null || value === undefined || (web && !(web instanceof Blob));
      if (before !== undefined && before !== null && before !== value) {
        if (hasNoLength) this.remove('Content-Length');
        forgetProblemType(this.ctx as unknown as HttpContext, before, value);
      }
      const hasType = this.res.hasHeader('Content-Type');
      const context = this.ctx as unknown as HttpContext;
      set?.call(this, isResponse(web) ? headOf(web, context) : value);
      // Koa would call it bytes; its first item decides.
      if (value instanceof IterableBody && !hasType) this.remove('Content-Type');
      if (web === undefined) return;
      if (web !== before) endUnreadWith(this.res, web);
      if (isResponse(web)) {
        // Koa knows one without a body by its class alone.
        (this as unknown as { _body: unknown })._body = web.body === null ? new Response() : web;
        joinHead(context, web);
      }
    },
  });
}

// Koa would count the characters of their JSON, `{}`, and state them in answer to HEAD.
function stateNoWebLength(app: Koa): void {
  const { get, set } = inherited(app.response, 'length');
  Object.defineProperty(app.response, 'length', {
    configurable: true,
    set,
    get(this: Koa.Response) {
      const isUnknown = !this.res.hasHeader('Content-Length') && isWebBody(this.body);
      return isUnknown ? undefined : (get?.call(this) as number | undefined);
    },
  });
}

/** The accessors that Koa's own prototypes have for a member of a request or response. */
function inherited(of: object, name: string): PropertyDescriptor {
  return Object.getOwnPropertyDescriptor(Object.getPrototypeOf(of), name) as PropertyDescriptor;
}

interface ParsedQuery {
  [QUERY]?: { readonly text: string; readonly pairs: ParsedUrlQuery };
}

const QUERY = Symbol('fw.http.query');

// Koa's own `query` stops after 1,000 pairs. The parsed object is cached like Koa's, so that a middleware may change it.
function readWholeQueries(app: Koa, fieldLimit: number): void {
  const { set } = inherited(app.request, 'query');
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
 * Writes a body that Koa would send as JSON, because Koa's errors for values that JSON does not have name no route. For a stream it waits
 * for the first data.
 */
export function prepareForKoa(context: HttpContext): Promise<void> | undefined {
  const { respond, writable, headerSent, status } = context;
  if (respond === false || !writable || headerSent || EMPTY.has(status)) return undefined;
  if (status >= 400) followStatus(context);
  const text = writtenBody(context);
  // Sets the length like Koa does for JSON, but not for text.
  if (text !== undefined) context.length = Buffer.byteLength(text);
  else if (context.method !== 'HEAD') streamedBody(context);
  const { body } = context as { readonly body: unknown };
  if (!(body instanceof IterableBody)) return streamStart(context);
  return body.start(context).then(() => streamStart(context));
}

// Statuses for which Koa drops the body.
const EMPTY = new Set([204, 205, 304]);

function somethingThrown(error: unknown): never {
  throw error ?? nothingThrown(error);
}

function nothingThrown(value: unknown) {
  return fwError(HTTP_ERRORS.FW_HTTP_THROWN_NOTHING, { value: String(value) });
}

// Koa's own `URL` is made of `originalUrl`, so a middleware that uses it would decide by another spelling than all others.
function urlOf(this: Koa.Request & { memoizedURL?: URL }): URL {
  const target = decidedUrl(this.ctx as unknown as HttpContext) ?? this.originalUrl;
  const text = `${this.protocol}://${this.host}${target}`;
  return (this.memoizedURL ??= URL.canParse(text) ? new URL(text) : (Object.create(null) as URL));
}

/** The last error that a context was told of. */
const TOLD = Symbol('fw.http.told');

/** Koa's handler for errors that no middleware caught; Koa's default would drop every header. */
function onError(this: HttpContext & { [TOLD]?: unknown }, error: unknown): void {
  // A stream that fails, the response that ends by it and the connection all tell of the same error.
  if (error === null || error === undefined || this[TOLD] === error) return;
  this[TOLD] = error;
  try {
    answerError(this, error);
  } catch (second) {
    // Nothing else would catch it, and an error without a response must not end the process.
    giveUp(this, second);
  }
}

function answerError(context: HttpContext, error: unknown): void {
  const { app, res } = context;
  app.emit('error', error, context);
  if (res.writableFinished) return;
  if (context.headerSent || !context.writable) {
    // The status was sent already, so closing the connection is the only way to show that the body is incomplete.
    res.destroy();
    return;
  }
  writeProblem(context, error);
  res.end(context.method === 'HEAD' ? undefined : (context.body as string));
}

// Uses no header or text of the application, because one of them caused the failure.
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

// Converting the thrown value to text may throw.
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** Node's listener for requests. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;
