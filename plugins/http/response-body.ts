import { Stream } from 'node:stream';
import type { HttpContext } from '../../kernel/index.js';
import { isPlain } from './fast-koa/fast-context.js';
import { jsonBody } from './json-body.js';

/**
 * The body as it will be sent, when it is known: text or bytes. An object is written as JSON once, here, and stays text, so
 * that no later middleware writes it again.
 *
 * @returns undefined for no body, and for streams and their kin
 */
export function knownBody(context: HttpContext): string | Buffer | undefined {
  const { body } = context;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return typeof body === 'object' ? writtenBody(context) : undefined;
}

/** Writes a body that is sent as JSON, so that Koa finds text. @returns undefined when it is sent in another way, or empty */
export function writtenBody(context: HttpContext): string | undefined {
  const { body } = context;
  if (body === undefined || body === null || typeof body === 'string' || !isWrittenAsJson(body)) return undefined;
  const text = jsonBody(context, body);
  replaceBody(context, text);
  return text;
}

/** Puts another form of the body (text, bytes or a stream) into its place: the type stays, the length is that of the new one. */
export function replaceBody(context: HttpContext, body: string | Buffer | Stream): void {
  const { res } = context;
  if (res.hasHeader('Content-Length')) {
    if (body instanceof Stream) res.removeHeader('Content-Length');
    else res.setHeader('Content-Length', Buffer.byteLength(body));
  }
  // The contexts of the fast path have the field themselves; the setter would guess a type and look for streams.
  if (!(body instanceof Stream) && Object.hasOwn(context, '_body')) {
    (context as unknown as { _body: unknown })._body = body;
    return;
  }
  const type = res.getHeader('Content-Type');
  context.body = body;
  if (type === undefined) res.removeHeader('Content-Type');
  else res.setHeader('Content-Type', type);
}

/** Whether Koa sends an object as JSON. */
export function isWrittenAsJson(body: unknown): boolean {
  // A literal needs none of the other questions, the last of which has Node load its fetch implementation.
  return isPlain(body) || !(Buffer.isBuffer(body) || isStreamed(body));
}

function isStreamed(body: unknown): boolean {
  if (body instanceof ReadableStream || body instanceof Blob || body instanceof Response) return true;
  // Packages such as readable-stream have classes of their own.
  return body instanceof Stream || typeof (body as { readonly pipe?: unknown }).pipe === 'function';
}
