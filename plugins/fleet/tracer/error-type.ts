/** What a short, plain code of an error looks like. Messages are never recorded: they may hold what a user sent. */
const CODE = /^[\w.-]{1,64}$/;

/** Codes with which Node.js and undici say that somebody cut the call off. */
const ABORTED = new Set(['ABORT_ERR', 'UND_ERR_ABORTED', 'ERR_CANCELED']);

/**
 * The class of an error, as OpenTelemetry's attribute `error.type` wants it: its code, else its name. An abort says why where it knows:
 * `TimeoutError` for a deadline, `AbortError` otherwise.
 */
export function errorType(error: unknown): string {
  const { code, name, cause } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  if (name === 'TimeoutError') return 'TimeoutError';
  if (name === 'AbortError' || ABORTED.has(code as string)) return isTimeout(cause) ? 'TimeoutError' : 'AbortError';
  if (typeof code === 'string' && CODE.test(code)) return code;
  // fetch wraps what went wrong in a TypeError of its own.
  if (cause !== undefined && cause !== error && typeof (cause as { code?: unknown } | null)?.code === 'string') {
    return errorType(cause);
  }
  return typeof name === 'string' && CODE.test(name) ? name : '_OTHER';
}

function isTimeout(cause: unknown): boolean {
  return (cause as { name?: unknown } | undefined | null)?.name === 'TimeoutError';
}
