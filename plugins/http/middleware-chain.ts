import type { Next } from 'koa';
import type { HttpContext, Middleware } from '../../kernel/index.js';

/** One step of a chain, and what runs a chain of several: gives a promise where something has to be waited for. */
export type ChainStep = (context: HttpContext, next: Next) => unknown;

/** A middleware whose `next` gives what the rest of the chain gives: a promise only where something has to be waited for. */
export type DirectMiddleware = (context: HttpContext, next: () => unknown) => unknown;

const DIRECT = Symbol('fw.http.direct');

/**
 * Says of a middleware that it can do without the promise of `next`: see {@link afterNext}. A request that nothing has to wait
 * for then goes through it without one. It calls `next` at most once, and runs in any Koa application.
 */
export function direct(handle: DirectMiddleware): Middleware {
  return Object.assign(handle, { [DIRECT]: true });
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

/** Whether `await` would wait for a value. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/**
 * Makes one step of several, as `koa-compose` does: each gets a `next` that runs the others and gives a promise. Direct ones get
 * what the others give, and what throws at once is thrown at once. The last one gets the `next` of the whole.
 */
export function chainOf(steps: readonly ChainStep[]): ChainStep {
  const last = steps.at(-1) ?? end;
  return steps.slice(0, -1).reduceRight((rest, step) => (DIRECT in step ? directly : promising)(step, rest), last);
}

const end: ChainStep = (_context, next) => next();

function directly(step: ChainStep, rest: ChainStep): ChainStep {
  return (context, next) => step(context, () => rest(context, next) as Promise<unknown>);
}

function promising(step: ChainStep, rest: ChainStep): ChainStep {
  return (context, next) => {
    let isCalled = false;
    return step(context, () => {
      if (isCalled) return Promise.reject(new Error('next() called multiple times'));
      isCalled = true;
      return promised(rest, context, next);
    });
  };
}

function promised(rest: ChainStep, context: HttpContext, next: Next): Promise<unknown> {
  try {
    return Promise.resolve(rest(context, next));
  } catch (error) {
    return Promise.reject(error as Error);
  }
}
