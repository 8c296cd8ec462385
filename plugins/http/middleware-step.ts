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
  requireMiddleware(handle, name);
  return markingUntilNext(handle as ChainStep);
}

/** Refuses what could not run as a middleware. Parameters and errors as {@link middlewareStep}. */
export function requireMiddleware(handle: unknown, name: string): void {
  const problem = problemOf(handle);
  if (problem !== undefined) throw fwError(HTTP_ERRORS.FW_HTTP_MIDDLEWARE, { name: named(name, handle), problem });
}

/** Refuses a handler of Express. Parameters and errors as {@link middlewareStep}. */
export function requireHandler(handle: Handler, name: string): void {
  if (takesResponse(handle))
    throw fwError(HTTP_ERRORS.FW_HTTP_MIDDLEWARE, { name: named(name, handle), problem: TAKES_RESPONSE });
}

type Handler = (...args: never[]) => unknown;

function named(name: string, handle: unknown): string {
  const own = typeof handle === 'function' ? handle.name.replace(/^(?:bound )+/, '') : '';
  return own === '' || name.endsWith(` ${own}`) ? name : `${name} (${own})`;
}

function problemOf(handle: unknown): string | undefined {
  if (typeof handle !== 'function')
    return handle === null ? 'it is null' : `it is a value of the type ${typeof handle}`;
  if (/^class\b/.test(sourceOf(handle))) return 'it is a class, and not what an instance of it gives';
  // Koa 3 does not run generator functions (https://koajs.com/#middleware-cascade): the body would never run, and the request would never
  // be answered.
  if (types.isGeneratorFunction(handle)) return 'it is a generator function, as Koa 1 had them';
  return takesResponse(handle as Handler) ? TAKES_RESPONSE : undefined;
}

/**
 * Whether a function is one of Express or Connect (https://expressjs.com/en/guide/using-middleware.html): it has three parameters, or four
 * for errors, where Koa calls with two; or its two are called request and response, as those of listeners of Node are.
 */
function takesResponse(handle: Handler): boolean {
  return handle.length > 2 || REQUEST_AND_RESPONSE.test(sourceOf(handle));
}

function sourceOf(handle: unknown): string {
  return Function.prototype.toString.call(handle);
}

const TAKES_RESPONSE =
  'it takes (req, res, next), as in Express; wrap it by what the package koa-connect exports, `connect(helmet())`';

const REQUEST_AND_RESPONSE =
  /^(?:async\s+)?(?:function\b\s*)?[\w$]*\s*\(\s*_?req(?:uest)?\s*,\s*_?res(?:p|ponse)?\s*[,)=]/;
