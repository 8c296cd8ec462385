import type { Middleware as KoaMiddleware, Next } from 'koa';
import compose from 'koa-compose';
import { type HttpContext, isDirect } from '../../kernel/index.js';

/** One step of a chain, or a composed chain: returns a promise only if it is asynchronous. */
export type ChainStep = (context: HttpContext, next: Next) => unknown;

/**
 * Composes several steps into one. koa-compose composes ordinary Koa middlewares. Direct steps (see `direct`) are nested without promises:
 * `next` returns the result of the inner step as it is, and an error that the inner step throws synchronously is thrown synchronously. In
 * both cases `next` may be called only once. The last step gets the `next` of the whole chain.
 */
export function chainOf(steps: readonly ChainStep[]): ChainStep {
  const last = steps.at(-1);
  if (last === undefined) return whatFollows;
  const around = (rest: ChainStep, group: Group): ChainStep =>
    Array.isArray(group) ? composed(group, rest) : directly(group, rest);
  // The last step has no further step of the chain behind it, so it is nested directly, whether direct or not.
  return groupsOf(steps.slice(0, -1)).reduceRight<ChainStep>(around, directly(last, whatFollows));
}

const whatFollows: ChainStep = (_context, next) => next();

type Group = ChainStep | ChainStep[];

// Groups the steps: each direct step alone, adjacent ordinary ones together.
function groupsOf(steps: readonly ChainStep[]): Group[] {
  return steps.reduce<Group[]>((groups, step) => {
    const before = groups.at(-1);
    if (isDirect(step)) return [...groups, step];
    if (Array.isArray(before)) return [...groups.slice(0, -1), [...before, step]];
    return [...groups, [step]];
  }, []);
}

function directly(step: ChainStep, rest: ChainStep): ChainStep {
  return (context, next) => {
    let isCalled = false;
    return step(context, () => {
      if (isCalled) throw nextTwice();
      isCalled = true;
      return rest(context, next) as Promise<unknown>;
    });
  };
}

function composed(steps: readonly ChainStep[], rest: ChainStep): ChainStep {
  const run = compose(steps as unknown as KoaMiddleware[]) as unknown as ChainStep;
  return (context, next) => run(context, () => rest(context, next) as Promise<unknown>);
}

// The message of koa-compose, by which programs recognise the error.
function nextTwice(): Error {
  return new Error('next() called multiple times');
}
