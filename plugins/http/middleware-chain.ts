import type { Next } from 'koa';
import { type HttpContext, isDirect } from '../../kernel/index.js';

/** One step of a chain, and what runs a chain of several: gives a promise where something has to be waited for. */
export type ChainStep = (context: HttpContext, next: Next) => unknown;

/**
 * Makes one step of several, as `koa-compose` does: each gets a `next` that runs the others and gives a promise. Direct ones get
 * what the others give, and what throws at once is thrown at once. The last one gets the `next` of the whole.
 */
export function chainOf(steps: readonly ChainStep[]): ChainStep {
  const last = steps.at(-1) ?? end;
  return steps.slice(0, -1).reduceRight((rest, step) => (isDirect(step) ? directly : promising)(step, rest), last);
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
