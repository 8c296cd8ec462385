import type { HttpContext, Middleware } from './http.js';
import { isThenable } from './thenable.js';

/** A middleware whose `next` gives what the rest of the chain gives: a promise only where something has to be waited for. */
export type DirectMiddleware = (context: HttpContext, next: () => unknown) => unknown;

// One key for every copy of the package.
const DIRECT = Symbol.for('fw.http.direct');

/**
 * Says of a middleware that it can do without the promise of `next`: see {@link afterNext}. A request that nothing has to wait
 * for then goes through it without one. It calls `next` at most once, and runs in any Koa application.
 */
export function direct(handle: DirectMiddleware): Middleware {
  return Object.assign(handle, { [DIRECT]: true });
}

/** Whether a middleware was made by {@link direct}. */
export function isDirect(handle: object): boolean {
  return DIRECT in handle;
}

/**
 * Runs the rest of the chain and then, at once where nothing has to be waited for, one of two.
 *
 * @param completed - called when the rest has come to its end
 * @param failed - called with what the rest has thrown; default throws it on
 * @returns what was called gives, or a promise of it
 */
export function afterNext(next: () => unknown, completed: () => unknown, failed = throwOn): unknown {
  let pending: unknown;
  try {
    pending = next();
  } catch (error) {
    return failed(error);
  }
  return isThenable(pending) ? pending.then(completed, failed) : completed();
}

function throwOn(error: unknown): unknown {
  throw error;
}
