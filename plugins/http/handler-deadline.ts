import {
  type Duration,
  fwError,
  type HttpContext,
  isThenable,
  LONGEST_TIMER,
  milliseconds,
  type RouteHandler,
} from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { abortSignal } from './request-signal.js';
import { endUnread } from './web-body.js';

/**
 * Wraps a handler with a deadline: when it takes too long, the request is answered with 503 and `ctx.signal` is aborted with the same
 * error. A later result is ended and not sent; a later error is logged unless it comes from the signal.
 *
 * @param time - from the call of the handler on; 0 for no end
 * @param route - method and pattern, for the error
 * @throws FwError `FW_CONFIG_DURATION`, `FW_HTTP_ROUTE_TIMEOUT` for a time that no timer has
 */
export function withDeadline(handler: RouteHandler, time: Duration, route: string): RouteHandler {
  const limit = milliseconds(time);
  if (limit > milliseconds(LONGEST_TIMER))
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_TIMEOUT, { route, time: String(time) });
  if (limit === 0) return handler;
  const run = handler as unknown as (context: HttpContext) => unknown;
  return ((context: HttpContext) => {
    const value = run(context);
    return isThenable(value) ? settledWithin(limit, value, context, route) : value;
  }) as unknown as RouteHandler;
}

function settledWithin(
  limit: number,
  value: PromiseLike<unknown>,
  context: HttpContext,
  route: string,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const timer = setTimeout(() => {
      isOver = true;
      const late = fwError(HTTP_ERRORS.FW_HTTP_HANDLER_TIMEOUT, { route, limit: String(limit) });
      reject(late);
      abortSignal(context, late);
    }, limit);
    value.then(
      (given) => {
        clearTimeout(timer);
        if (isOver) endUnread(given);
        resolve(given);
      },
      (error: unknown) => {
        clearTimeout(timer);
        if (isOver && !isAboutSignal(error, context)) context.app.emit('error', error, context);
        reject(error as Error);
      },
    );
  });
}

function isAboutSignal(error: unknown, { signal }: HttpContext): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}
