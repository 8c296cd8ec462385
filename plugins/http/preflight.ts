import type Koa from 'koa';
import type { HttpContext } from '../../kernel/index.js';

const HOOKS = Symbol('fw.http.preflight');

type Hook = (context: HttpContext) => void;

/** Whether a request is a CORS preflight (Fetch standard, "CORS-preflight request"). */
export function isPreflight({ req }: HttpContext): boolean {
  return (
    req.method === 'OPTIONS' &&
    req.headers.origin !== undefined &&
    req.headers['access-control-request-method'] !== undefined
  );
}

/** Lets inner middlewares set their headers on a preflight response of an outer one. */
export function announcePreflight(app: Koa, hooks: readonly Hook[]): void {
  Object.assign(app.context, { [HOOKS]: hooks });
}

/**
 * Tells the inner middlewares that a preflight is being answered. The answering middleware calls it; in a Koa application without the http
 * plugin it does nothing.
 */
export function preflightAnswered(context: HttpContext): void {
  const hooks = (context as unknown as { [HOOKS]?: readonly Hook[] })[HOOKS] ?? [];
  for (const hook of hooks) hook(context);
}
