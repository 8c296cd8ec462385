import { type Readable, Stream } from 'node:stream';
import { type HttpContext, OBSERVE_BODY, UNCODED_BODY } from '../../kernel/index.js';
import { isPlain } from './fast-koa/fast-context.js';
import { jsonBody } from './json-body.js';
import { isWebBody, readableOf } from './web-body.js';

/**
 * The body as it will be sent, if it is text or bytes. An object is converted to JSON text here, once, so that no later middleware does it
 * again.
 *
 * @returns undefined without a body, and for streams and the like
 */
export function knownBody(context: HttpContext): string | Buffer | undefined {
  const { body } = context;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return typeof body === 'object' ? writtenBody(context) : undefined;
}

/** Converts a body that is sent as JSON to text. @returns undefined when it is sent in another way, or empty */
export function writtenBody(context: HttpContext): string | undefined {
  const { body } = context;
  if (body === undefined || body === null || typeof body === 'string' || !isWrittenAsJson(body)) return undefined;
  const text = jsonBody(context, body);
  replaceBody(context, text);
  return text;
}

/**
 * The body as a Node stream, if it is a stream, a Blob or a Response. A web body is replaced by that stream, so the caller has to read it.
 *
 * @returns undefined for any other body
 * @throws TypeError when somebody else reads the body already
 */
export function streamedBody(context: HttpContext): Readable | undefined {
  const body: unknown = context.body;
  if (isReadable(body)) return body;
  const stream = readableOf(body);
  if (stream === undefined) return undefined;
  const length = context.res.getHeader('Content-Length');
  replaceBody(context, stream);
  if (length !== undefined) context.res.setHeader('Content-Length', length);
  return stream;
}

// Not by its class: packages such as readable-stream have classes of their own.
function isReadable(body: unknown): body is Readable {
  const { pipe, on } = (body ?? {}) as Partial<Readable>;
  return typeof pipe === 'function' && typeof on === 'function';
}

/** Replaces the body by another form (text, bytes or a stream): the type stays, the length is updated. */
export function replaceBody(context: HttpContext, body: string | Buffer | Stream): void {
  const { res } = context;
  if (res.hasHeader('Content-Length')) {
    if (body instanceof Stream) res.removeHeader('Content-Length');
    else res.setHeader('Content-Length', Buffer.byteLength(body));
  }
  // The contexts of the fast path have the field `_body` themselves; the setter would guess a type and check for streams.
  if (!(body instanceof Stream) && Object.hasOwn(context, '_body')) {
    if (typeof body !== 'string') keepUncoded(context, context.body);
    (context as unknown as { _body: unknown })._body = body;
    return;
  }
  const type = res.getHeader('Content-Type');
  context.body = body;
  if (type === undefined) res.removeHeader('Content-Type');
  else res.setHeader('Content-Type', type);
}

/** Remembers a body before its bytes in a coding take its place, for whoever observes the request. */
function keepUncoded(context: HttpContext, body: unknown): void {
  const observed = context as { [OBSERVE_BODY]?: unknown; [UNCODED_BODY]?: unknown };
  if (observed[OBSERVE_BODY] !== undefined) observed[UNCODED_BODY] ??= body;
}

/** Whether Koa sends an object as JSON. */
export function isWrittenAsJson(body: unknown): boolean {
  return isPlain(body) || !(Buffer.isBuffer(body) || isStreamed(body));
}

/** Whether a body is a Node stream, a web stream, a Blob or a Response. */
export function isStreamed(body: unknown): boolean {
  return body instanceof Stream || isReadable(body) || isWebBody(body);
}
