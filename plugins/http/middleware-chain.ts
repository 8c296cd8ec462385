import type { Middleware as KoaMiddleware, Next } from 'koa';
import compose from 'koa-compose';
import { type HttpContext, isDirect } from '../../kernel/index.js';

/** One step of a chain, and what runs a chain of several: gives a promise where something has to be waited for. */
export type ChainStep = (context: HttpContext, next: Next) => unknown;

/**
 * Makes one step of several. Ordinary Koa middleware is composed by koa-compose. Direct steps (see `direct`) stand around what it
 * composed, so that a chain of them makes no promise: each gets what the others give, and an error thrown below reaches it as a
 * throw. The rules are the same for both: `next` may be called once. The last step gets the `next` of the whole.
 */
export function chainOf(steps: readonly ChainStep[]): ChainStep {
  const last = steps.at(-1);
  if (last === undefined) return whatFollows;
  const around = (rest: ChainStep, group: Group): ChainStep =>
    Array.isArray(group) ? composed(group, rest) : directly(group, rest);
  // The last one makes a promise only where it has to wait, direct or not: nothing of the chain stands behind it.
  return groupsOf(steps.slice(0, -1)).reduceRight<ChainStep>(around, directly(last, whatFollows));
}

const whatFollows: ChainStep = (_context, next) => next();

type Group = ChainStep | ChainStep[];

// A direct step alone, neighbours that are ordinary together.
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

// In the words of koa-compose, by which programs know it.
function nextTwice(): Error {
  return new Error('next() called multiple times');
}
