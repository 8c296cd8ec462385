import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { Static, TSchema } from 'typebox';
import type { WebSocket } from 'ws';
import type { Duration } from '../config/duration.js';
import type { Resolver } from '../container/index.js';
import { token } from '../container/token.js';
import type { AnswersOf, PlainAnswer, RouteResponses, StreamedItems } from './answers.js';
import type { RouteDoc } from './docs.js';
import type { Sendable } from './sendable.js';

/** HTTP methods that a route may be registered for. HEAD and OPTIONS answer by themselves where a route does not. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** One of {@link HTTP_METHODS}. */
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Names of `:params` and of a `*wildcard` in a path literal: `'/users/:id/*rest'` gives `{ id: string; rest: string }`. */
export type PathParams<Path extends string> = string extends Path
  ? Readonly<Record<string, string>>
  : { readonly [Name in ParamNames<Path>]: string };

type ParamNames<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? ParamName<Segment> | ParamNames<Rest>
  : ParamName<Path>;

type ParamName<Segment extends string> = Segment extends `:${infer Name}`
  ? Name
  : Segment extends '*'
    ? 'wildcard'
    : Segment extends `*${infer Name}`
      ? Name
      : never;

/** Schemas of what a route reads, by source (SPEC "RouteDoc", InputGroup). */
export interface RouteInput {
  readonly body?: TSchema;
  readonly query?: TSchema;
  readonly params?: TSchema;
  readonly header?: TSchema;
}

/** Values of a {@link RouteInput}: validated, coerced where the source is text, without members that no schema names. */
export type InputOf<Input extends RouteInput> = {
  readonly [Source in keyof Input & keyof RouteInput]: Input[Source] extends infer Schema extends TSchema
    ? Static<Schema>
    : undefined;
};

/** What a verified token says of the caller: claims that are in common use, and whatever else it has. */
export interface UserClaims {
  /** Whose token it is (RFC 7519, section 4.1.2). */
  readonly sub?: string;
  /** What `roles` of routes are compared with. */
  readonly role?: string | readonly string[];
  readonly [claim: string]: unknown;
}

/**
 * Types that an application decides. It adds `claims`, the schema that its tokens are held to, which is then the type of `ctx.user`:
 * `declare module 'fw' { interface AppTypes { claims: typeof Claims } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface, so that an application can add to it
export interface AppTypes {}

/** Claims of the caller: as {@link AppTypes} says, or those in common use. */
export type CallerClaims = AppTypes extends { readonly claims: infer Claims extends TSchema }
  ? Readonly<Static<Claims>>
  : UserClaims;

/** What middlewares and handlers of a request tell each other. */
export interface RequestState {
  /** Claims of the caller where a token was asked for, under the usual name (`userContextKey` of the JWT middleware). */
  user?: CallerClaims;
  [key: PropertyKey]: unknown;
}

/** Fields that fw adds to Koa's context. */
export interface HttpContextFields {
  /** Path parameters, percent-decoded; empty before routing. */
  readonly params: Readonly<Record<string, string>>;
  /** The route that answers; undefined before routing and when nothing matches. */
  readonly route: RouteInfo | undefined;
  /** Address of the client without port; behind trusted proxies what they say it is. */
  readonly clientIp: string;
  /** Claims of the caller, frozen; undefined where no token was asked for. `AppTypes` gives them the application's type. */
  readonly user: CallerClaims | undefined;
  /** Aborted when the client goes away before the response is complete. */
  readonly signal: AbortSignal;
}

/** Koa's context with fw's fields, as a middleware sees it. */
export type HttpContext = Koa.ParameterizedContext<RequestState, HttpContextFields, unknown>;

/** The context of a handler: `params` and `input` carry the types of the route. */
export type RouteContext<Path extends string, Input extends RouteInput, State = undefined> = Omit<
  HttpContext,
  'params'
> & {
  readonly params: PathParams<Path>;
  readonly input: InputOf<Input>;
  /** What the route's `validator` gave: the state that a write has to find, `WHERE version = ...`. */
  readonly current: State;
};

/**
 * What tells the current state of a resource from others: a version, the time of its last change, or an object with either, such as
 * the row itself.
 */
export type CurrentState =
  string | number | bigint | Date | { readonly version?: string | number | bigint; readonly lastModified?: Date };

/** A middleware as fw's own are written: Koa's shape, with a context that has no `any` in it. */
export type Middleware = (context: HttpContext, next: Koa.Next) => unknown;

/**
 * A Koa middleware, ours or anybody's. The shape of a method takes those that name Koa's own context too, and gives one that is written in
 * place the types of its parameters, which a union of both would not.
 */
export type AnyMiddleware = { handle(context: HttpContext, next: Koa.Next): unknown }['handle'];

/** What may come back from a handler: a value to send, or nothing when `ctx.body` was set. */
export type HandlerResult<Output> = [Output] extends [TSchema]
  ? NoInfer<Sendable<Static<Output>> | StreamedItems<Static<Output>>> | undefined | void
  : unknown;

/** What may come back from the handler of a route with `responses`: one of its answers, or a value for its first success. */
export type RouteResult<Output, Responses> = [Responses] extends [RouteResponses]
  ? AnswersOf<Responses> | PlainAnswer<Output, Responses> | undefined | void
  : HandlerResult<Output>;

/** Answers a route. A returned value is sent as JSON; text as `text/plain`; streams and buffers as they are; what generators give item by item. */
export type RouteHandler<
  Path extends string = string,
  Input extends RouteInput = RouteInput,
  Output = undefined,
  State = undefined,
  Responses = undefined,
> = (
  context: RouteContext<Path, Input, State>,
  next: Koa.Next,
) => RouteResult<Output, Responses> | Promise<RouteResult<Output, Responses>>;

/** Who may call a route. Said by the route, or by a group for the routes in it. */
export interface RouteAccess {
  /**
   * Only callers with one of these roles; an empty list: any caller with valid credentials. Asked before anything of the
   * request is read. Needs a plugin that knows callers ({@link RouteAuthenticator}), such as middleware/jwt. Inside a group
   * that lists roles, a route may list fewer of them.
   */
  readonly roles?: readonly string[];
  /**
   * Anybody, also inside a group that lists roles, and on a path that `protect` of middleware/jwt closes as part of a
   * larger whole.
   */
  readonly public?: boolean;
}

/** What a route says about itself. One place drives validation, documentation and the route list. */
export interface RouteOptions<
  Input extends RouteInput = RouteInput,
  Output = unknown,
  State = CurrentState | undefined | null,
  Responses extends RouteResponses | undefined = RouteResponses | undefined,
> extends RouteAccess {
  /** Summary line. */
  readonly title?: string;
  readonly description?: string;
  /** Groups in the API reference; those of surrounding groups come first. */
  readonly tags?: readonly string[];
  readonly input?: Input;
  /** Schema (or model class, or example value) of a successful response. */
  readonly output?: Output;
  /** Status of a successful response; default 200, or the first success of `responses` where that has no 200. */
  readonly status?: number;
  /** Description of a successful response; default `OK`. */
  readonly outputDescription?: string;
  /**
   * What else the route answers, by status: a handler returns it with `answer` of `fw/http`, and what leaves is held to what is
   * declared of the status. Of the status of `output` it may say headers, examples and other media types.
   */
  readonly responses?: Responses;
  /** Example request bodies by name, for the API reference. */
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  /** Name of the operation in the OpenAPI document, unique among routes; default made of method and path. */
  readonly operationId?: string;
  /**
   * Security Requirement Objects (OpenAPI 3.1) for the API reference, in place of those that guards of the route contribute: the names
   * are among `securitySchemes` of the docs plugin. Who may call the route is decided by `roles` or its middlewares.
   */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** Whether the handler keeps the event loop busy; shown wherever routes are listed. */
  readonly blocking?: boolean;
  /** Largest request body in bytes; default the option `bodyLimit` of the http plugin. */
  readonly bodyLimit?: number;
  /**
   * How long the handler may take before the request is answered 503 and `ctx.signal` aborted; 0 for no end. Default the option
   * `handlerTimeout` of the http plugin. A body that is streamed is no part of it.
   */
  readonly timeout?: Duration;
  /** Answered also when `inFlight` of the http plugin turns requests away: for health and readiness. Default false. */
  readonly evenWhenBusy?: boolean;
  /** Middlewares of this route alone, after those of its groups. */
  readonly use?: readonly AnyMiddleware[];
  /** Left out of the API reference, not of the route list. */
  readonly hidden?: boolean;
  readonly deprecated?: boolean;
  /**
   * Takes an encoded slash (%2F) in a path parameter as data; elsewhere it is answered 400. Not for routes with a
   * *wildcard, whose value is taken for several segments, e.g. by a file system or another server.
   */
  readonly encodedSlashes?: boolean;
  /**
   * Gives the current state of what the request is about, for `If-Match`, `If-None-Match` and their kin by date (RFC 9110,
   * section 13): asked after access and inputs are checked and before the handler, which gets it as `ctx.current`. Reading answers
   * with its ETag, and 304 without the handler where the client has it, so it must name all that the answer depends on. Writing is
   * refused with 412 where the client has seen another state. Undefined: there is nothing yet; throw what the route answers then if it
   * creates nothing.
   */
  validator?(context: Omit<RouteContext<string, Input>, 'current'>): State | Promise<State>;
  /** `required`: a write without a precondition is refused with 428 (RFC 6585, section 3). Needs a `validator`. Default `optional`. */
  readonly precondition?: 'optional' | 'required';
}

/** Registers routes for one method. The path starts with `/`; `:name` is one segment, a last `*name` the rest. */
export interface RouteMethod {
  <const Path extends string>(path: Path, handler: RouteHandler<Path, Record<never, never>>): void;
  <
    const Path extends string,
    const Input extends RouteInput = Record<never, never>,
    Output = undefined,
    State extends CurrentState | undefined | null = undefined,
    const Responses extends RouteResponses | undefined = undefined,
  >(
    path: Path,
    options: RouteOptions<Input, Output, State, Responses>,
    handler: RouteHandler<Path, Input, Output, State, Responses>,
  ): void;
  <const Path extends string>(
    path: Path,
    middleware: AnyMiddleware,
    handler: RouteHandler<Path, Record<never, never>>,
  ): void;
  <const Path extends string>(
    path: Path,
    first: AnyMiddleware,
    second: AnyMiddleware,
    handler: RouteHandler<Path, Record<never, never>>,
  ): void;
}

/** A WebSocket connection; the type of the package `ws`. */
export type WebSocketConnection = WebSocket;

/** Serves one WebSocket connection. What it throws closes the connection with 1011. */
export type WebSocketHandler<Path extends string = string> = (
  socket: WebSocketConnection,
  context: Omit<HttpContext, 'params'> & { readonly params: PathParams<Path> },
) => void | Promise<void>;

/** How WebSocket connections of a route are accepted. */
export interface WebSocketRouteOptions extends RouteAccess {
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Middlewares of this route alone. */
  readonly use?: readonly AnyMiddleware[];
  /**
   * Origins that may connect from a browser, `*` for all; default the origin that the request is sent to, which behind a proxy
   * that replaces Host is what its X-Forwarded-Host says, if it is among `trustedProxies`.
   */
  readonly origins?: readonly string[];
  /** Largest message in bytes; default 1 MiB. */
  readonly maxPayload?: number;
  /** Milliseconds between pings; a client that does not answer until the next one is cut. Default 30 000, 0 for none. */
  readonly heartbeatMs?: number;
}

/** How the files of a folder are served. */
export interface StaticOptions extends RouteAccess {
  /** File that answers for a folder; default `index.html`. */
  readonly index?: string;
  /**
   * File that answers a browser's visit of a page that no file is there for, as the pages of a single-page application are. What looks for a
   * file (`/logo.png`), or does not ask for HTML, still gets 404. It is sent with `Cache-Control: no-cache`, whatever `cacheControl` says.
   */
  readonly fallback?: string;
  /** Value of Cache-Control; left to the middlewares when it is not given. */
  readonly cacheControl?: string;
}

/** A function in a module of its own, which a worker thread imports. */
export interface BlockingWorker {
  /** URL of the module: `new URL('./report.js', import.meta.url)`. */
  readonly module: string | URL;
  /** Name of the exported function; it gets a {@link BlockingRequest} and returns what is sent. */
  readonly export: string;
}

/** What a blocking handler gets: data only, copied to its thread. */
export interface BlockingRequest {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** What the route's schemas made of the request. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Facts shared by the routes of a group. */
export interface GroupOptions extends RouteAccess {
  readonly tags?: readonly string[];
  readonly hidden?: boolean;
}

/** Where a route module registers its routes. */
export interface Router {
  readonly get: RouteMethod;
  readonly post: RouteMethod;
  readonly put: RouteMethod;
  readonly patch: RouteMethod;
  readonly delete: RouteMethod;
  readonly head: RouteMethod;
  readonly options: RouteMethod;
  /** Accepts WebSocket connections (RFC 6455) on a path, after the same middlewares as any other route. */
  websocket<const Path extends string>(path: Path, handler: WebSocketHandler<Path>): void;
  websocket<const Path extends string>(
    path: Path,
    options: WebSocketRouteOptions,
    handler: WebSocketHandler<Path>,
  ): void;
  /** Serves the files of a folder under a prefix. */
  static(prefix: string, folder: string, options?: StaticOptions): void;
  /** Answers in a thread of the bounded worker pool: for handlers that keep the processor busy. */
  handleBlocking(method: HttpMethod, path: string, worker: BlockingWorker, options?: RouteOptions): void;
  /** Registers for a method that is only known at run time. */
  on(method: HttpMethod, path: string, options: RouteOptions, handler: RouteHandler): void;
  /** Middlewares for the routes of this router that are registered after the call. */
  use(...middlewares: readonly AnyMiddleware[]): void;
  /**
   * Routes under a prefix, with middlewares of their own. Groups nest.
   * @param parts - options and middlewares, then the function that registers the group's routes; the start waits for its promise
   */
  group(prefix: string, ...parts: readonly [...(GroupOptions | AnyMiddleware)[], (group: Router) => unknown]): void;
}

/** A module of routes: the default export of a file under `routes/`. Made by `routes` of `fw/http`. */
export interface RouteModule {
  /** Shown in errors; the file's name or the plugin's id. */
  readonly name: string;
  /**
   * Set when who may call its routes is decided in another way than by `roles`, `public` and protected paths: they ask for a
   * credential of their own, or are there for everybody. They are then not among the routes that were left open by mistake.
   */
  readonly ownDoor?: boolean;
  /**
   * Registers the routes. `services` gives what plugins provide; ask for it here, not per request. The start waits for its promise: a route
   * that is registered later is refused (`FW_HTTP_ROUTE_LATE`).
   */
  register(router: Router, services: Resolver): unknown;
}

/** Plugins contribute their route modules to this token. */
export const HttpRoutes = token<RouteModule>('fw.HttpRoutes');

/** A middleware for every request, matched by a route or not. */
export interface HttpMiddleware {
  /** Shown in the route list and the probe. */
  readonly name: string;
  readonly handle: AnyMiddleware;
  /**
   * Headers that this middleware would have set, had an outer one not answered a CORS preflight in its place. The
   * middleware that answers preflights calls it.
   */
  readonly onPreflight?: (context: HttpContext) => void;
  /**
   * Sets headers that every answer must have, whichever middleware gives it: called for each request, before the outermost middleware. Must
   * be quick and not throw.
   */
  readonly outermost?: (context: HttpContext) => void;
  /**
   * Also runs for a request that is refused for its target (400), which no other middleware gets to see: for what logs,
   * counts or traces, and decides nothing by the path.
   */
  readonly seesRefused?: boolean;
}

/** Plugins contribute middlewares to this token; they wrap each other in plugin order, the first outermost. */
export const HttpMiddleware = token<HttpMiddleware>('fw.HttpMiddleware');

/** Knows who calls, for routes that list `roles`. The http plugin asks it; it knows nothing of tokens itself. */
export interface RouteAuthenticator {
  /** Shown in the probe, e.g. `jwt`. */
  readonly name: string;
  /**
   * A middleware that lets callers with one of the roles pass, and answers everybody else. Made once per route, at boot.
   * @param roles - empty: any caller with valid credentials
   */
  guard(roles: readonly string[]): Middleware;
  /** Whether a request whose target or method was rewritten, on its way to the router, leads to a path that it guards. */
  guardsRewritten(context: HttpContext): boolean;
}

/** A plugin that knows callers provides this token; at most one does. */
export const RouteAuthenticator = token<RouteAuthenticator>('fw.RouteAuthenticator');

/** One route of the live route list. */
export interface RouteInfo {
  readonly method: HttpMethod;
  /** The pattern as registered, with its groups' prefixes. */
  readonly path: string;
  /** Function name of the handler, `(anonymous)` when it has none. */
  readonly handler: string;
  /** Name of the route module. */
  readonly module: string;
  readonly blocking: boolean;
  /** Set for a route that accepts WebSocket connections. */
  readonly websocket?: true;
  /** How many middlewares belong to this route and its groups; global ones are not counted. */
  readonly middlewares: number;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly input: RouteInput;
  readonly output: unknown;
  readonly status: number;
  readonly outputDescription: string;
  /** What it answers by status, as declared. */
  readonly responses?: RouteResponses;
  readonly bodyExamples?: Readonly<Record<string, unknown>>;
  readonly operationId?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly hidden: boolean;
  readonly deprecated: boolean;
  /** Roles of which a caller needs one, those of its groups included; empty: valid credentials; absent: nothing is asked. */
  readonly roles?: readonly string[];
  /** Set when the route, or the nearest group that says who may call, says that anybody may. */
  readonly public?: true;
  /** Set when its module decides by itself who may call: {@link RouteModule.ownDoor}. */
  readonly ownDoor?: true;
  /** Set when the route takes an encoded slash as data. */
  readonly encodedSlashes?: true;
  /** Set when the route is answered however many requests there are. */
  readonly evenWhenBusy?: true;
  /** Set when the route evaluates preconditions by a `validator`; `required` when a write must have one. */
  readonly conditional?: 'optional' | 'required';
  /** What a `doc` wrapper among its own middlewares says; it documents and does not validate. */
  readonly doc?: RouteDoc;
}

/** The listening server and its live route list. */
export interface HttpServer {
  /** `http://host:port`, `https` with TLS, with the port that was really bound; usable once every plugin is ready. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Every route in the order of registration. */
  routes(): readonly RouteInfo[];
  /**
   * The route that answers a request; undefined when none does.
   * @throws FwError 400, for a path that a middleware has rewritten to one that is refused
   */
  routeFor(context: HttpContext): RouteInfo | undefined;
  /** Names of the global middlewares, outermost first. */
  middlewares(): readonly string[];
  /** The Koa application, for what only Koa can do. */
  readonly koa: Koa;
  /** Aborted when the server begins to drain: ends streams that would never end by themselves. */
  readonly draining: AbortSignal;
}

export const HttpServer = token<HttpServer>('fw.HttpServer');

/**
 * Property of a request's context under which an observer may leave a function: it is called with the decoded body before
 * validation, which drops members that no schema names. Must be quick and not throw.
 */
export const OBSERVE_BODY: unique symbol = Symbol.for('fw.http.observe-body');

/**
 * Property of a request's context with the body of the response before a middleware put its bytes in a coding, or a stream of them, in its
 * place. Only requests with an {@link OBSERVE_BODY} have it.
 */
export const UNCODED_BODY: unique symbol = Symbol.for('fw.http.uncoded-body');

/** Takes over connections whose request asks for another protocol (RFC 9110, section 7.8), such as a WebSocket. */
export interface HttpUpgrade {
  /** Path of the endpoint, in the plainest spelling, which a request must use too; the query is left to the handler. */
  readonly path: string;
  /** The protocol in the header `Upgrade`, in lower case; default `websocket`. Requests for any other are ordinary ones. */
  readonly protocol?: string;
  /** Owns the connection from now on, and closes it before the server drains. */
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Plugins contribute upgrade handlers to this token. A request to upgrade that nobody takes is answered as if it asked for none. */
export const HttpUpgrade = token<HttpUpgrade>('fw.HttpUpgrade');
