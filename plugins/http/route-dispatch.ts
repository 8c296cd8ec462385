import type { Next } from 'koa';
import { fwError, type HttpContext, isThenable } from '../../kernel/index.js';
import { isMeantForClient, writeProblem } from './error-response.js';
import { HTTP_ERRORS } from './errors.js';
import { pathOfTarget } from './request-path.js';
import type { RouteTable } from './route-table.js';
import { hasExplicitStatus } from './route-handler.js';
import type { Route } from './router.js';
import { upgradeOf } from './upgrade-dispatch.js';

interface Routed {
  params: Readonly<Record<string, string>>;
  route: Route['info'];
}

/**
 * The innermost middleware: finds the route and runs its chain. Errors that are meant for the client become a response
 * here, inside every middleware, so that headers, logs and compression treat them like any other answer. Everything else
 * goes on to the recovery middleware.
 */
export function dispatcher(tables: RouteTables) {
  return function router(context: HttpContext, next: Next): unknown {
    try {
      const pending = dispatch(tables, context, next);
      if (!isThenable(pending)) return requireAnswer(context);
      return pending.then(
        () => requireAnswer(context),
        (error: unknown) => refuse(context, error),
      );
    } catch (error) {
      return refuse(context, error);
    }
  };
}

function refuse(context: HttpContext, error: unknown): void {
  if (context.headerSent || !isMeantForClient(error)) throw error;
  context.app.emit('error', error, context);
  writeProblem(context, error);
}

// Koa answers 404 where nobody said anything, in text. To a client that is an error like any other.
function requireAnswer(context: HttpContext): void {
  const { body, route } = context;
  if ((body !== undefined && body !== null) || route === undefined) return;
  if (context.status !== 404 || hasExplicitStatus(context) || context.respond === false || context.headerSent) return;
  refuse(context, fwError(HTTP_ERRORS.FW_HTTP_NO_ANSWER, { method: context.method, path: context.path }));
}

/** Where routes are looked up. */
export interface RouteTables {
  readonly routes: RouteTable<Route>;
  readonly webSockets: RouteTable<Route>;
}

function dispatch({ routes, webSockets }: RouteTables, context: HttpContext, next: Next): unknown {
  const method = context.req.method as string;
  const path = pathOfTarget(context.req.url as string);
  // A request to upgrade that no route wants is answered like any other (RFC 9110, section 7.8).
  const upgraded = upgradeOf(context.req) && webSockets.find(method, path);
  const match = upgraded ?? routes.find(method, path) ?? (method === 'HEAD' ? routes.find('GET', path) : undefined);
  if (match === undefined) {
    if (webSockets.find(method, path)) return refuseWithoutUpgrade(context, path);
    return answerUnmatched(routes, context, path);
  }
  const routed = context as unknown as Routed;
  routed.params = match.params;
  routed.route = match.route.info;
  return match.route.run(context, next);
}

function refuseWithoutUpgrade(context: HttpContext, path: string): never {
  context.set('Upgrade', 'websocket');
  context.set('Connection', 'Upgrade');
  throw fwError(HTTP_ERRORS.FW_HTTP_UPGRADE_REQUIRED, { path });
}

// A middleware that has set a body (a third party's router, say) has answered already.
function answerUnmatched(table: RouteTable<Route>, context: HttpContext, path: string): void {
  if (context.status !== 404 || (context.body !== undefined && context.body !== null)) return;
  const allowed = table.allowed(path);
  if (allowed.length === 0) throw fwError(HTTP_ERRORS.FW_HTTP_NOT_FOUND, { method: context.method, path });
  context.set('Allow', allowed.join(', '));
  if (context.method !== 'OPTIONS') {
    throw fwError(HTTP_ERRORS.FW_HTTP_METHOD_NOT_ALLOWED, { method: context.method, path, allowed });
  }
  context.status = 204;
}
