import type { HttpContext, Middleware } from './http.js';
import { isThenable } from './thenable.js';

/** A middleware whose `next` returns a promise only if the rest of the chain is asynchronous. */
export type DirectMiddleware = (context: HttpContext, next: () => unknown) => unknown;

// One key for every copy of the package.
const DIRECT = Symbol.for('fw.http.direct');

/**
 * Marks a middleware that does not need `next` to return a promise; it uses {@link afterNext} to continue. A request that is handled
 * synchronously then passes it without a promise. The middleware calls `next` at most once, and runs in any Koa application.
 */
export function direct(handle: DirectMiddleware): Middleware {
  return Object.assign(handle, { [DIRECT]: true });
}

/** Whether a middleware was made by {@link direct}. */
export function isDirect(handle: object): boolean {
  return DIRECT in handle;
}

/**
 * Runs the rest of the chain, then `completed` or `failed`: synchronously if the rest was synchronous.
 *
 * @param completed - called when the rest has ended without an error
 * @param failed - called with the error of the rest; default rethrows it
 * @returns the result of the called function, or a promise of it
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
