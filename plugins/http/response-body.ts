import { Stream } from 'node:stream';
import type { HttpContext } from '../../kernel/index.js';

/**
 * The body as it will be sent, when it is known: text or bytes. An object is written as JSON once, here, and stays text, so
 * that no later middleware writes it again.
 *
 * @returns undefined for no body, and for streams and their kin
 */
export function knownBody(context: HttpContext): string | Buffer | undefined {
  const { body } = context;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  if (typeof body !== 'object' || body === null || isStreamed(body)) return undefined;
  const text = JSON.stringify(body);
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
  if (type !== undefined) res.setHeader('Content-Type', type);
}

// What Koa sends in another way than as JSON.
function isStreamed(body: object): boolean {
  return body instanceof Stream || body instanceof ReadableStream || body instanceof Blob || body instanceof Response;
}
