import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { HttpContext } from '../../kernel/index.js';
import { isWebBody } from './web-body.js';

/**
 * Waits until a stream body has its first bytes or ends. When a stream fails later, Koa can only cut the connection; before the first byte,
 * an error status can still be sent.
 *
 * @returns undefined when the body is no stream, or the headers were sent already
 * @throws Node's error for an invalid head, such as a status message of two lines
 */
export function streamStart(context: HttpContext): Promise<void> | undefined {
  const { body, headerSent, method } = context;
  if (headerSent || method === 'HEAD' || !comesLater(body)) return undefined;
  refuseUnwritableHead(context);
  if (!isReadable(body)) return undefined;
  if (body.errored) return Promise.reject(body.errored);
  if (body.readableLength > 0 || body.readableEnded || body.destroyed) return undefined;
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => () => {
      body.off('readable', started).off('end', started).off('close', started).off('error', failed);
      finish();
    };
    const started = settle(resolve);
    const failed = (error: Error) => settle(() => reject(error))();
    body.on('readable', started).on('end', started).on('close', started).on('error', failed);
  });
}

// Not by its class: packages such as readable-stream have classes of their own.
function isReadable(body: unknown): body is Readable {
  const { pipe, readableLength } = (body ?? {}) as Partial<Readable>;
  return typeof pipe === 'function' && typeof readableLength === 'number';
}

// Whether Koa writes the body only after the middlewares: pipeable objects, and a Response without a body.
function comesLater(body: unknown): boolean {
  return isPipe(body) || isWebBody(body);
}

function isPipe(body: unknown): boolean {
  return typeof (body as { pipe?: unknown } | null | undefined)?.pipe === 'function';
}

// Node takes a request over HTTP/2, of version 2.0, for one that knows no trailers, as in HTTP/1.0.
const OVER_HTTP_1 = { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1, headers: {} } as IncomingMessage;

// Node validates status, message and framing when it writes the head, for a stream in a callback, where an exception ends the process. A
// dummy response makes Node validate them before.
function refuseUnwritableHead({ res }: HttpContext): void {
  new ServerResponse(res.req.httpVersionMajor === 1 ? res.req : OVER_HTTP_1).writeHead(
    res.statusCode,
    res.statusMessage || undefined,
    res.getHeaders(),
  );
}
