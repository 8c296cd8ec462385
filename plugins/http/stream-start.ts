import { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { HttpContext } from '../../kernel/index.js';

/**
 * Waits until a stream that is the body has its first bytes, or none. Koa cuts the connection when a stream fails; before the
 * first byte there still is a status to say so with.
 *
 * @returns undefined when the body is no stream, or nothing can be said any more
 * @throws what Node throws for a head that it does not write, such as a status message of two lines
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

// Koa writes these when the middlewares are done: Node, web and anything else that pipes.
function comesLater(body: unknown): boolean {
  return isReadable(body) || [Blob, ReadableStream, Response].some((kind) => body instanceof kind) || isPipe(body);
}

function isPipe(body: unknown): boolean {
  return typeof (body as { pipe?: unknown } | null | undefined)?.pipe === 'function';
}

// Node looks at the status, the message and the framing when it writes the head, which for a stream is in a callback of the stream:
// what it throws there ends the process. A response that leads nowhere has the same opinion in time.
function refuseUnwritableHead({ res }: HttpContext): void {
  new ServerResponse(res.req).writeHead(res.statusCode, res.statusMessage || undefined, res.getHeaders());
}
