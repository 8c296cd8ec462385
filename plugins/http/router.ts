import {
  noteRoutePlace,
  type Duration,
  type AnyMiddleware,
  fwError,
  type GroupOptions,
  HTTP_METHODS,
  type HttpMethod,
  isFwError,
  isJsonSchema,
  isThenable,
  type Resolver,
  type RouteAuthenticator,
  type RouteDoc,
  type RouteHandler,
  type RouteInfo,
  type RouteMethod,
  type RouteModule,
  type RouteOptions,
  type Router,
  successStatus,
  type StaticOptions,
  type WebSocketHandler,
  type WebSocketRouteOptions,
} from '../../kernel/index.js';
import { callPlace, type CallPlace } from './call-place.js';
import type { SchemaIds } from '../../kernel/schema/index.js';
import { messageOf } from '../../kernel/errors/index.js';
import { HTTP_ERRORS } from './errors.js';
import { withDeadline } from './handler-deadline.js';
import { marking } from './header-mark.js';
import type { InputBounds } from './input-bounds.js';
import { chainOf, type ChainStep } from './middleware-chain.js';
import { middlewareStep, requireHandler } from './middleware-step.js';
import { type PathPattern, parsePattern } from './path-pattern.js';
import { conditionStep, refuseBlindConditions } from './conditional/route-validator.js';
import { refuseUnfitResponses, shapesOf } from './output/declared-responses.js';
import { refuseUnknownOptions } from './known-options.js';
import { type Access, accessStep, accessWithin, encodedSlashesOf, saidAccess } from './route-access.js';
import { attachedDoc } from './route-documentation.js';
import { handlerStep } from './route-handler.js';
import { outputStep, type RouteOutput } from './output/route-output.js';
import { inputStep, refuseUnreadable } from './route-input.js';
import { staticHandler, staticRoot } from './static/static-files.js';
import type { StaticMounts } from './static/static-mounts.js';
import { webSocketStep } from './websocket/websocket-route.js';
import { blockingHandler } from './workers/blocking-handler.js';
import type { WorkerPool } from './workers/worker-pool.js';

/** A registered route, ready to answer. */
export interface Route {
  readonly method: HttpMethod;
  readonly pattern: PathPattern;
  readonly module: string;
  readonly place: CallPlace | undefined;
  readonly info: RouteInfo;
  /** The route's own chain: middlewares of its groups, its own, binding, handler. */
  readonly run: ChainStep;
}

/** The interface between the router and its host. */
interface RouteHost {
  add(route: Route): void;
  /** Default limit of bodies in bytes. */
  readonly bodyLimit: number;
  /** How long a body may take to arrive, in milliseconds; 0 for no end. */
  readonly requestTime: number;
  /** Default time limit of handlers. */
  readonly handlerTimeout: Duration;
  /** Further bounds of the inputs of routes. */
  readonly bounds: InputBounds;
  /** Where uploaded files are kept; default the temporary folder of the system. */
  readonly uploadFolder?: string | undefined;
  /** The pool for blocking handlers, made on first use. */
  workers(): WorkerPool;
  /** Folders that are served. */
  readonly mounts: StaticMounts;
  /** Knows callers, for routes that list roles. */
  readonly authenticator: RouteAuthenticator | undefined;
  /** What may leave of the answers of a route; undefined for all of them. */
  outputOf(route: RouteInfo): RouteOutput | undefined;
  /** The schemas of the application that have an `$id`. */
  readonly schemaIds: SchemaIds;
}

/**
 * Declares a module of routes.
 *
 * @param register - gets a router, and a resolver for what plugins provide; the start waits for its promise
 * @param name - shown in errors and route lists; default the function's name
 *
 * @example
 * export default routes((router) => {
 *   router.get('/api/products/:id', { title: 'One product', input: { params } }, async (ctx) => find(ctx.input.params.id));
 * });
 */
export function routes(register: (router: Router, services: Resolver) => unknown, name?: string): RouteModule {
  return { name: name ?? (register.name || 'routes'), register };
}

/** Registers the routes of a module with a host. @throws FwError naming the module when it cannot register */
export async function registerModule(module: RouteModule, services: Resolver, host: RouteHost): Promise<void> {
  const groups: Promise<unknown>[] = [];
  const surroundings = {
    ...{ host, module: module.name, prefix: '', middlewares: [], tags: [], hidden: false, access: {}, groups },
    ...(module.ownDoor && { ownDoor: true as const }),
  };
  try {
    await module.register(routerIn(surroundings), services);
    // One that is waited for may add those within it.
    for (const group of groups) await group;
  } catch (cause) {
    if (isFwError(cause)) throw cause;
    const reason = messageOf(cause);
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_MODULE, { module: module.name, reason }, { cause });
  }
}

interface Surroundings {
  readonly host: RouteHost;
  readonly module: string;
  readonly prefix: string;
  readonly middlewares: AnyMiddleware[];
  readonly tags: readonly string[];
  readonly hidden: boolean;
  readonly access: Access;
  readonly websocket?: true;
  readonly ownDoor?: true;
  /** Groups of the module that register their routes later. */
  readonly groups: Promise<unknown>[];
  /** Where the route is registered. */
  readonly place?: CallPlace;
}

function routerIn(here: Surroundings): Router {
  // The route is registered at the place that calls the method.
  const at = (called: (...args: never[]) => unknown): Surroundings => ({ ...here, place: callPlace(called) });
  const methods = Object.fromEntries(
    HTTP_METHODS.map((method) => {
      const add = (path: string, ...args: readonly unknown[]) => addRoute(at(add), method, path, args);
      return [method.toLowerCase(), add];
    }),
  ) as Record<Lowercase<HttpMethod>, RouteMethod>;
  const router: Router = {
    ...methods,
    on: (method, path, options, handler) => addRoute(at(router.on), method, path, [options, handler]),
    websocket: (path: string, ...args: readonly unknown[]) => addWebSocket(at(router.websocket), path, args),
    static: (prefix, folder, options = {}) => addStatic(at(router.static), prefix, folder, options),
    handleBlocking: (method, path, worker, options = {}) =>
      addRoute(at(router.handleBlocking), method, path, [
        { ...options, blocking: true },
        blockingHandler(worker, here.host.workers),
      ]),
    use: (...middlewares) => void here.middlewares.push(...middlewares),
    group: (prefix, ...parts) => addGroup(here, prefix, parts),
  };
  return router;
}

function addGroup(here: Surroundings, prefix: string, parts: readonly unknown[]): void {
  const register = parts.at(-1) as (group: Router) => unknown;
  const between = parts.slice(0, -1);
  const middlewares = between.filter(isMiddleware);
  const options = between.filter((part): part is GroupOptions => !isMiddleware(part));
  const whole = joined(here.prefix, prefix);
  const place = { what: `the group ${whole}`, module: here.module };
  for (const each of options) refuseUnknownOptions('group', each, place);
  const registered = register(
    routerIn({
      ...here,
      prefix: whole,
      middlewares: [...here.middlewares, ...middlewares],
      tags: [...here.tags, ...options.flatMap(({ tags }) => tags ?? [])],
      hidden: here.hidden || options.some(({ hidden }) => hidden),
      access: options.reduce((access, own) => accessWithin(access, own, place), here.access),
    }),
  );
  if (!isThenable(registered)) return;
  const whenRegistered = Promise.resolve(registered);
  // Whoever waits for it hears of a failure.
  whenRegistered.catch(() => undefined);
  here.groups.push(whenRegistered);
}

function addStatic(here: Surroundings, prefix: string, folder: string, options: StaticOptions): void {
  refuseUnknownOptions('files', options, { what: `the files under ${prefix}`, module: here.module });
  const root = staticRoot(folder, prefix);
  const route = { ...saidAccess(options), title: `Files under ${prefix}`, hidden: true };
  const { mounts } = here.host;
  addRoute(here, 'GET', joined(prefix, '/*filepath'), [route, staticHandler(root, options, mounts.files)]);
  mounts.add({ prefix: joined(here.prefix, prefix), folder, root });
}

function addWebSocket(here: Surroundings, path: string, args: readonly unknown[]): void {
  const handler = args.at(-1) as WebSocketHandler;
  const given = args.length > 1 ? args[0] : {};
  refuseUnknownOptions('websocket', given, { what: `the WebSocket ${joined(here.prefix, path)}`, module: here.module });
  const { origins, maxPayload, heartbeatMs, ...options } = given as WebSocketRouteOptions;
  const connect = webSocketStep(handler, { origins, maxPayload, heartbeatMs });
  addRoute({ ...here, websocket: true }, 'GET', path, [{ ...options, hidden: true }, connect]);
}

function addRoute(here: Surroundings, method: HttpMethod, path: string, args: readonly unknown[]): void {
  const pattern = parsePattern(joined(here.prefix, path), here.module);
  const handler = handlerOf(args.at(-1), method, pattern, here.module);
  const between = args.slice(0, -1);
  const given = between.filter((part): part is RouteOptions => !isMiddleware(part));
  const options = given[0] ?? {};
  const own = [...between.filter(isMiddleware), ...(options.use ?? [])];
  const middlewares = [...here.middlewares, ...own];
  const doc = attachedDoc(own, method, pattern.text);
  const place = { what: `${method} ${pattern.text}`, module: here.module };
  for (const each of given) refuseUnknownOptions('route', each, place);
  refuseUnknownOptions('input', options.input ?? {}, { ...place, what: `the input of ${place.what}` });
  refuseUnreadable(options, method, pattern.text);
  refuseBlindConditions(options, place);
  refuseUnfitResponses(options, place);
  // Reads all options objects, although the types allow only one: an ignored access rule would leave the route open.
  const access = given.reduce((outer, own) => accessWithin(outer, own, place), here.access);
  const info = infoOf(here, { method, pattern, options, access, handler, middlewares: middlewares.length, doc });
  const output = here.host.outputOf(info);
  // A WebSocket has no time limit.
  const time = here.websocket ? 0 : (options.timeout ?? here.host.handlerTimeout);
  const limited = withDeadline(handler, time, `${method} ${pattern.text}`);
  takeSchemaIds(options, `${method} ${pattern.text}`, here.host.schemaIds);
  const run = chainOf([
    ...accessStep(access, here.host.authenticator, place),
    ...(output && middlewares.length > 0 ? [outputStep(output)] : []),
    ...middlewares.map((each) => middlewareStep(each, `a middleware of ${place.what}`)),
    ...inputStep(options, {
      ...here.host.bounds,
      limit: options.bodyLimit ?? here.host.bodyLimit,
      timeLimit: here.host.requestTime,
      uploadFolder: here.host.uploadFolder,
    }),
    ...conditionStep(options),
    marking(handlerStep(limited, info, output)),
  ]);
  if (here.place) noteRoutePlace(info, here.place);
  here.host.add({ method, pattern, module: here.module, place: here.place, info, run });
}

function takeSchemaIds({ input = {}, output, responses }: RouteOptions, route: string, ids: SchemaIds): void {
  for (const [source, schema] of Object.entries(input)) ids.add(schema, `input.${source} of ${route}`);
  if (isJsonSchema(output)) ids.add(output, `output of ${route}`);
  for (const { status, shape } of shapesOf(responses))
    if (isJsonSchema(shape)) ids.add(shape, `the answer ${status} of ${route}`);
}

interface RouteFacts {
  readonly method: HttpMethod;
  readonly pattern: PathPattern;
  readonly options: RouteOptions;
  readonly access: Access;
  readonly handler: RouteHandler;
  readonly middlewares: number;
  readonly doc: RouteDoc | undefined;
}

function infoOf(here: Surroundings, facts: RouteFacts): RouteInfo {
  const { method, pattern, options, access, handler, middlewares, doc } = facts;
  return Object.freeze({
    method,
    path: pattern.text,
    handler: handler.name || '(anonymous)',
    module: here.module,
    blocking: options.blocking ?? false,
    ...(here.websocket && { websocket: true as const }),
    ...(here.ownDoor && { ownDoor: true as const }),
    middlewares,
    title: options.title ?? '',
    description: options.description ?? '',
    tags: [...here.tags, ...(options.tags ?? [])],
    input: options.input ?? {},
    output: options.output,
    status: successStatus(options.status, options.output, options.responses),
    outputDescription: options.outputDescription ?? 'OK',
    ...(options.responses && { responses: options.responses }),
    ...(options.bodyExamples && { bodyExamples: options.bodyExamples }),
    ...(options.operationId !== undefined && { operationId: options.operationId }),
    ...(options.security && { security: options.security }),
    hidden: options.hidden ?? here.hidden,
    deprecated: options.deprecated ?? false,
    ...access,
    ...(encodedSlashesOf(options.encodedSlashes, pattern, here.module) && { encodedSlashes: true as const }),
    ...(options.evenWhenBusy && { evenWhenBusy: true as const }),
    ...(options.validator && { conditional: options.precondition ?? 'optional' }),
    ...(doc && { doc }),
  });
}

function handlerOf(candidate: unknown, method: string, pattern: PathPattern, module: string): RouteHandler {
  if (typeof candidate === 'function') {
    requireHandler(candidate as RouteHandler, `the handler of ${method} ${pattern.text}`);
    return candidate as RouteHandler;
  }
  const found = candidate === undefined ? 'missing' : candidate === null ? 'null' : `a ${typeof candidate}`;
  throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_HANDLER, { method, path: pattern.text, module, found });
}

function isMiddleware(part: unknown): part is AnyMiddleware {
  return typeof part === 'function';
}

// '/api' + '/' is '/api'; '/' + '/x' is '/x'.
function joined(prefix: string, path: string): string {
  if (prefix === '' || prefix === '/') return path;
  return path === '/' ? prefix : `${prefix.replace(/\/$/, '')}${path}`;
}
