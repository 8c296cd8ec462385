import type { Next } from 'koa';
import { fwError, HTTP_METHODS, type HttpContext, isThenable, type RouteAuthenticator } from '../../kernel/index.js';
import { withoutClientErrors } from './client-gone.js';
import { answerProblem, isMeantForClient } from './error-response.js';
import { HTTP_ERRORS } from './errors.js';
import { restoreHeaders } from './header-mark.js';
import { isRewritten, requestPath } from './request-target.js';
import type { Match, RouteTable } from './route-table.js';
import { hasExplicitStatus } from './route-handler.js';
import type { Route } from './router.js';
import { upgradeOf } from './upgrade-dispatch.js';

interface Routed {
  params: Readonly<Record<string, string>>;
  route: Route['info'];
}

/**
 * The innermost middleware: finds the route and runs its chain. Errors that are meant for the client become a response here, inside every
 * middleware, so that headers, logs and compression apply to them as usual. All others reach the recovery middleware.
 */
export function dispatcher(tables: RouteTables, authenticator?: RouteAuthenticator) {
  const enter = authenticator ? guardingRewritten(tables, authenticator) : dispatch.bind(undefined, tables);
  return function router(context: HttpContext, next: Next): unknown {
    try {
      const pending = enter(context, next);
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

function refuse(context: HttpContext, thrown: unknown): void {
  const error = withoutClientErrors(context, thrown);
  // Restored here, so that headers that outer middlewares set on an error stay.
  restoreHeaders(context.res);
  if (context.headerSent || !isMeantForClient(error)) throw error;
  answerProblem(context, error);
}

// Without a response Koa would answer 404 as plain text; here it becomes an error like any other.
function requireAnswer(context: HttpContext): void {
  const { body, route } = context;
  if ((body !== undefined && body !== null) || route === undefined) return;
  if (context.status !== 404 || hasExplicitStatus(context) || context.respond === false || context.headerSent) return;
  refuse(context, fwError(HTTP_ERRORS.FW_HTTP_NO_ANSWER, { method: context.method, path: context.path }));
}

/** The tables in which routes are looked up. */
interface RouteTables {
  readonly routes: RouteTable<Route>;
  readonly webSockets: RouteTable<Route>;
}

// A middleware that rewrites a request may come after the one that guards paths, so rewritten requests are checked again.
function guardingRewritten(tables: RouteTables, authenticator: RouteAuthenticator) {
  const guard = authenticator.guard([]);
  return (context: HttpContext, next: Next): unknown =>
    isRewritten(context) && authenticator.guardsRewritten(context)
      ? guard(context, () => dispatch(tables, context, next) as Promise<unknown>)
      : dispatch(tables, context, next);
}

/** The route that answers a request; undefined when none does. */
export function answering({ routes, webSockets }: RouteTables, context: HttpContext): Match<Route> | undefined {
  const method = context.req.method as string;
  const path = requestPath(context);
  // A request to upgrade without a matching route is handled like any other (RFC 9110, section 7.8).
  const upgraded = upgradeOf(context.req) && webSockets.find(method, path);
  return upgraded ?? found(routes, method, path);
}

function found(routes: RouteTable<Route>, method: string, path: string): Match<Route> | undefined {
  return routes.find(method, path) ?? (method === 'HEAD' ? routes.find('GET', path) : undefined);
}

/**
 * Whether a path with an encoded slash belongs to a route that takes it as data. If no route answers the method, any route of the path
 * decides, so that OPTIONS and 405 work.
 */
export function takesEncodedSlash({ routes, webSockets }: RouteTables, method: string, path: string): boolean {
  const match = found(routes, method, path);
  if (match) return match.route.info.encodedSlashes === true;
  const others = [...HTTP_METHODS.map((other) => routes.find(other, path)), webSockets.find('GET', path)];
  return others.some((other) => other?.route.info.encodedSlashes === true);
}

function dispatch(tables: RouteTables, context: HttpContext, next: Next): unknown {
  const match = answering(tables, context);
  if (match === undefined) {
    const path = requestPath(context);
    if (tables.webSockets.find(context.method, path)) return refuseWithoutUpgrade(context, path);
    return answerUnmatched(tables.routes, context, path);
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
  // `OPTIONS *` is about the server as a whole (RFC 9110, section 9.3.7).
  const allowed = path === '*' ? [...HTTP_METHODS] : table.allowed(path);
  if (allowed.length === 0) throw fwError(HTTP_ERRORS.FW_HTTP_NOT_FOUND, { method: context.method, path });
  context.set('Allow', allowed.join(', '));
  if (context.method !== 'OPTIONS') {
    throw fwError(HTTP_ERRORS.FW_HTTP_METHOD_NOT_ALLOWED, { method: context.method, path, allowed });
  }
  context.status = 204;
}
