import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { DECIDED_METHOD, DECIDED_PATH, DECIDED_URL } from '../request-target.js';

/** The fields of Koa's request and response objects that Koa's own code reads. */
interface KoaPart {
  ctx: FastContext;
  req: IncomingMessage;
  res: ServerResponse;
  originalUrl?: string | undefined;
}

/** A context of {@link fastContextClass}: the fields that Koa spreads over three objects, in one. */
export interface FastContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The request target as sent. */
  readonly originalUrl: string | undefined;
  [DECIDED_URL]: string | undefined;
  [DECIDED_METHOD]: string | undefined;
  [DECIDED_PATH]: string | undefined;
  state: Record<PropertyKey, unknown>;
  respond: boolean | undefined;
  _body: unknown;
  _explicitStatus: boolean;
  _explicitNullBody: boolean | undefined;
  _request: KoaPart | undefined;
  _response: KoaPart | undefined;
  readonly request: KoaPart;
  readonly response: KoaPart & { body: unknown; status: number; set(field: unknown, value?: unknown): void };
  body: unknown;
  onerror(error: unknown): void;
}

type Writable<Fields> = { -readonly [Field in keyof Fields]: Fields[Field] };

const NO_PARAMS = Object.freeze({});
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * A class for contexts whose prototype is the application's `context`, as Koa's are, so that additions to `app.context`, `app.request` and
 * `app.response` work. Koa makes three objects per request; here the request and response objects are made on first use.
 */
export function fastContextClass(app: Koa): new (req: IncomingMessage, res: ServerResponse) => FastContext {
  const { context, request, response } = app as unknown as Record<'context' | 'request' | 'response', object>;
  const FastRequest = partClass(request);
  const FastResponse = partClass(response);
  function Context(
    this: Writable<FastContext> & Record<string, unknown>,
    req: IncomingMessage,
    res: ServerResponse,
  ): void {
    this.req = req;
    this.res = res;
    this.originalUrl = req.url;
    this[DECIDED_URL] = undefined;
    this[DECIDED_METHOD] = undefined;
    this[DECIDED_PATH] = undefined;
    this.state = {};
    this._body = undefined;
    this._explicitStatus = false;
    this._explicitNullBody = undefined;
    this._request = undefined;
    this._response = undefined;
    this.respond = undefined;
    this['params'] = NO_PARAMS;
    this['route'] = undefined;
    this['input'] = undefined;
    this['user'] = undefined;
  }
  Context.prototype = context;
  shareFields(app, request, response);
  linkParts(context, FastRequest, FastResponse);
  shortenDelegates(context);
  return Context as unknown as new (req: IncomingMessage, res: ServerResponse) => FastContext;
}

type PartClass = new (context: FastContext) => KoaPart;

function partClass(prototype: object): PartClass {
  function Part(this: KoaPart, context: FastContext): void {
    this.ctx = context;
    this.req = context.req;
    this.res = context.res;
    this.originalUrl = context.originalUrl;
  }
  Part.prototype = prototype;
  return Part as unknown as PartClass;
}

function shareFields(app: Koa, request: object, response: object): void {
  for (const target of [app.context, request, response]) define(target, 'app', { value: app, writable: true });
  // Fields in which Koa's response keeps its state; the context has them itself, so that setting a body needs no response object.
  for (const field of ['_body', '_explicitStatus', '_explicitNullBody'] as const) {
    define(response, field, {
      get(this: KoaPart) {
        return this.ctx[field];
      },
      set(this: KoaPart, value: never) {
        this.ctx[field] = value;
      },
    });
  }
  define(request, 'response', {
    get(this: KoaPart) {
      return this.ctx.response;
    },
  });
  define(response, 'request', {
    get(this: KoaPart) {
      return this.ctx.request;
    },
  });
}

function linkParts(context: object, FastRequest: PartClass, FastResponse: PartClass): void {
  define(context, 'request', {
    get(this: FastContext) {
      return (this._request ??= new FastRequest(this));
    },
    set(this: FastContext, value: KoaPart) {
      this._request = value;
    },
  });
  define(context, 'response', {
    get(this: FastContext) {
      return (this._response ??= new FastResponse(this));
    },
    set(this: FastContext, value: KoaPart) {
      this._response = value;
    },
  });
}

// Accessors that nearly every request uses, without making a request or response object.
function shortenDelegates(context: object): void {
  define(context, 'method', {
    get(this: FastContext) {
      return this.req.method;
    },
    set(this: FastContext, method: string) {
      this.req.method = method;
    },
  });
  define(context, 'status', {
    get(this: FastContext) {
      return this.res.statusCode;
    },
    set(this: FastContext, status: number) {
      this.response.status = status;
    },
  });
  define(context, 'body', {
    get(this: FastContext) {
      return this._body;
    },
    set: setBody,
  });
}

function setBody(this: FastContext, body: unknown): void {
  if (this._body !== undefined || !isPlain(body) || this.res.hasHeader('Content-Type')) {
    this.response.body = body;
    return;
  }
  this._body = body;
  if (!this._explicitStatus) {
    this._explicitStatus = true;
    this.res.statusCode = 200;
    this.res.statusMessage = 'OK';
  }
  if (this.res.hasHeader('Content-Length')) this.res.removeHeader('Content-Length');
  this.res.setHeader('Content-Type', JSON_TYPE);
}

/** Whether a value is a plain object or an array, which Koa certainly sends as JSON. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

function define(target: object, name: string, descriptor: PropertyDescriptor & ThisType<never>): void {
  Object.defineProperty(target, name, { configurable: true, ...descriptor });
}
