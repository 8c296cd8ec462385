import type Koa from 'koa';
import type { HttpContext } from '../../kernel/index.js';

const HOOKS = Symbol('fw.http.preflight');

type Hook = (context: HttpContext) => void;

/** Whether a request asks a browser's question before the real one (Fetch standard, "CORS-preflight request"). */
export function isPreflight({ req }: HttpContext): boolean {
  return (
    req.method === 'OPTIONS' &&
    req.headers.origin !== undefined &&
    req.headers['access-control-request-method'] !== undefined
  );
}

/** Lets inner middlewares put their headers on a preflight that an outer one answers. */
export function announcePreflight(app: Koa, hooks: readonly Hook[]): void {
  Object.assign(app.context, { [HOOKS]: hooks });
}

/**
 * Tells the inner middlewares that a preflight is being answered. Called by whoever answers it; nothing happens in a Koa
 * application without the http plugin.
 */
export function preflightAnswered(context: HttpContext): void {
  const hooks = (context as unknown as { [HOOKS]?: readonly Hook[] })[HOOKS] ?? [];
  for (const hook of hooks) hook(context);
}
