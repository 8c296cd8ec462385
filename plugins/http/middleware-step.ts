import { types } from 'node:util';
import { fwError } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { markingUntilNext } from './header-mark.js';
import type { ChainStep } from './middleware-chain.js';

/**
 * The step of a middleware of an application or a package.
 *
 * @param name - describes it in messages: `the middleware audit`, `a middleware of GET /orders`
 * @throws FwError `FW_HTTP_MIDDLEWARE` for a value that is no middleware
 */
export function middlewareStep(handle: unknown, name: string): ChainStep {
  const problem = problemOf(handle);
  if (problem !== undefined) throw fwError(HTTP_ERRORS.FW_HTTP_MIDDLEWARE, { name, problem });
  return markingUntilNext(handle as ChainStep);
}

function problemOf(handle: unknown): string | undefined {
  if (typeof handle !== 'function')
    return handle === null ? 'it is null' : `it is a value of the type ${typeof handle}`;
  if (/^class\b/.test(Function.prototype.toString.call(handle)))
    return 'it is a class, and not what an instance of it gives';
  // Koa 3 does not run generator functions (https://koajs.com/#middleware-cascade): the body would never run, and the request would never
  // be answered.
  return types.isGeneratorFunction(handle) ? 'it is a generator function, as Koa 1 had them' : undefined;
}
