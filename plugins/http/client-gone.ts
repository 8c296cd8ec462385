import type { Socket } from 'node:net';
import { fwError, type HttpContext } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/** Codes of Node's errors for a connection, or a stream of HTTP/2, that ended. An upstream's connection ends with the same ones. */
const ENDED = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_HTTP2_INVALID_STREAM',
  'ERR_HTTP2_SESSION_ERROR',
  'ERR_HTTP2_STREAM_ERROR',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
]);

/** How many causes of an error are looked at. */
const DEPTH = 5;

/**
 * Whether an error says no more than that the client went away before its response was complete: the connection is closed, and the error is
 * Node's for that, or comes from what `ctx.signal` aborted. The same error while the client waits is one of an upstream.
 */
export function isClientGone(context: Pick<HttpContext, 'req' | 'res'>, error: unknown): boolean {
  return isClosed(context) && isAboutEnd(error);
}

/** `FW_HTTP_CLIENT_GONE` in place of an error that says no more than that; any other error as it is. */
export function withoutClientErrors(context: Pick<HttpContext, 'req' | 'res'>, error: unknown): unknown {
  return isClientGone(context, error) ? fwError(HTTP_ERRORS.FW_HTTP_CLIENT_GONE, {}, { cause: error }) : error;
}

// A socket of HTTP/1.1 closes before its response hears of it; one of HTTP/2 has other requests.
function isClosed({ req, res }: Pick<HttpContext, 'req' | 'res'>): boolean {
  if (res.writableFinished) return false;
  // Node takes the socket away from a request that was destroyed while its response is still to come.
  const socket = req.socket as Socket | null;
  return res.destroyed || (req.httpVersionMajor === 1 && socket?.destroyed === true);
}

function isAboutEnd(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < DEPTH && typeof each === 'object' && each !== null; depth++) {
    const { code, name, cause } = each as {
      readonly code?: unknown;
      readonly name?: unknown;
      readonly cause?: unknown;
    };
    if (name === 'AbortError' || ENDED.has(code as string)) return true;
    each = cause;
  }
  return false;
}
