import { objectOf } from '../../../kernel/values/index.js';

/** Form of a short error code. Messages are never recorded, because they may contain a user's data. */
const CODE = /^[\w.-]{1,64}$/;

/** Codes of Node.js and undici for an aborted call. */
const ABORTED = new Set(['ABORT_ERR', 'UND_ERR_ABORTED', 'ERR_CANCELED']);

/**
 * The class of an error, for OpenTelemetry's attribute `error.type`: its code, else its name. For an abort, its reason if known:
 * `TimeoutError` for a deadline, `AbortError` otherwise.
 */
export function errorType(error: unknown): string {
  const { code, name, cause, message } = objectOf(error);
  if (name === 'TimeoutError') return 'TimeoutError';
  if (name === 'AbortError' || ABORTED.has(code as string)) return isTimeout(cause) ? 'TimeoutError' : 'AbortError';
  // The code that axios has for its own deadline.
  if (code === 'ECONNABORTED' && typeof message === 'string' && /^timeout\b/i.test(message)) return 'TimeoutError';
  if (typeof code === 'string' && CODE.test(code)) return code;
  // `fetch` wraps the actual error in a TypeError.
  if (cause !== undefined && cause !== error && typeof (cause as { code?: unknown } | null)?.code === 'string') {
    return errorType(cause);
  }
  return typeof name === 'string' && CODE.test(name) ? name : '_OTHER';
}

/**
 * {@link errorType} of an error and those that caused it: the first one with a code, as a failed call or statement has, else the type of
 * the error itself.
 */
export function thrownType(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof at === 'object' && at !== null; depth++) {
    const { code, cause } = at as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === 'string') return errorType(at);
    at = cause;
  }
  return errorType(error);
}

const MAX_CAUSES = 8;

function isTimeout(cause: unknown): boolean {
  return (cause as { name?: unknown } | undefined | null)?.name === 'TimeoutError';
}
