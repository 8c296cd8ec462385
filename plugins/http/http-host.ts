import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import {
  direct,
  type FwError,
  fwError,
  HttpMiddleware,
  HttpRoutes,
  type HttpContext,
  type HttpServer,
  HttpUpgrade,
  type Logger,
  milliseconds,
  ModelCatalogue,
  PROBLEM_MEDIA_TYPE,
  type Resolver,
  RouteAuthenticator,
  type RouteInfo,
  toProblem,
} from '../../kernel/index.js';
import { SchemaIds } from '../../kernel/schema/index.js';
import { thisWorker, type ThisWorker } from '../../kernel/workers/index.js';
import { HTTP_ERRORS } from './errors.js';
import type { Health } from './health/health.js';
import { FastApplication } from './fast-koa/fast-application.js';
import { FastResponse } from './fast-koa/fast-response.js';
import { LineResponse } from './fast-koa/line-response.js';
import { selfTest } from './fast-koa/self-test.js';
import { middlewareStep } from './middleware-step.js';
import { KoaApplication, type RequestListener } from './koa-application.js';
import { InFlight } from './in-flight.js';
import { Listener } from './listener.js';
import { NAMES_LOST_VALUES } from './lost-value.js';
import type { ChainStep } from './middleware-chain.js';
import type { HttpOptions } from './options.js';
import { routeOutputs } from './output/route-output.js';
import { PlainResponse } from './plain-response.js';
import { announcePreflight } from './preflight.js';
import { hostError } from './request-target.js';
import { spanNaming } from './span-naming.js';
import { answering, dispatcher, takesEncodedSlash } from './route-dispatch.js';
import { RouteTable } from './route-table.js';
import { registerModule, type Route } from './router.js';
import { DRAINING } from './server-sent-events.js';
import { Forwarder } from './processes/forward.js';
import { heldPaths } from './processes/held-paths.js';
import { WorkerDoor } from './processes/worker-door.js';
import { StaticMounts } from './static/static-mounts.js';
import { closeAfterIgnored, requestClass, UpgradeDispatch, upgradeOf } from './upgrade-dispatch.js';
import { WorkerPool } from './workers/worker-pool.js';

/** The server of an application: middlewares, routes and the socket. */
export class HttpHost implements HttpServer {
  readonly koa: KoaApplication;
  readonly #table = new RouteTable<Route>();
  readonly #webSockets = new RouteTable<Route>();
  readonly #tables = { routes: this.#table, webSockets: this.#webSockets };
  readonly #upgraded = new Set<Duplex>();
  /** Folders that routes serve. */
  readonly mounts = new StaticMounts();
  readonly #routes: RouteInfo[] = [];
  #isAssembled = false;
  /** The route of each `operationId`. */
  readonly #operations = new Map<string, string>();
  readonly #middlewares: string[] = [];
  readonly #draining = new AbortController();
  /** The health endpoints; undefined if the options switch them off. */
  health: Health | undefined;
  #upgrades: readonly HttpUpgrade[] = [];
  #workers: WorkerPool | undefined;
  #listener: Listener | undefined;
  #inFlight: InFlight | undefined;
  #address: AddressInfo | undefined;
  /** Paths that another process answers. */
  #elsewhere: { readonly isHeld: (target: string | undefined) => boolean; readonly forwarder: Forwarder } | undefined;
  /** In the first of several workers: the socket for requests of the others. */
  #door: WorkerDoor | undefined;

  constructor(
    private readonly options: HttpOptions,
    private readonly log: Logger,
    private readonly profile: string,
    /** Folder of app.config.ts. */
    private readonly root: string,
  ) {
    const Application = options.fastPath === 'off' ? KoaApplication : FastApplication;
    this.koa = new Application(log, options);
  }

  get draining(): AbortSignal {
    return this.#draining.signal;
  }

  get port(): number {
    return this.#bound().port;
  }

  get host(): string {
    return this.options.host;
  }

  /** The address that it listens on, once it does; before, the name or address of the options. */
  get boundHost(): string {
    return this.#address?.address ?? this.options.host;
  }

  get url(): string {
    const { address, family, port } = this.#bound();
    // An address that means "all interfaces" is not one that a browser can open.
    const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
    return `${this.options.tls ? 'https' : 'http'}://${host}:${port}`;
  }

  routes(): readonly RouteInfo[] {
    return this.#routes;
  }

  middlewares(): readonly string[] {
    return this.#middlewares;
  }

  routeFor(context: HttpContext): RouteInfo | undefined {
    return answering(this.#tables, context)?.route.info;
  }

  /** The pool of blocking handlers, once a route uses it. */
  get workers(): WorkerPool | undefined {
    return this.#workers;
  }

  /** How many clients were cut because they took nothing of their answer, and how many requests were refused as too many at a time. */
  get losses(): { readonly stalled_clients: number; readonly turned_away: number } {
    return { stalled_clients: this.#listener?.stalledClients ?? 0, turned_away: this.#inFlight?.turnedAway ?? 0 };
  }

  /** Routes that can never answer, with the route that answers for them. */
  shadowed(): readonly string[] {
    return this.#table.shadowed.map(({ route, by }) => `${route.method} ${route.pattern.text} (by ${by.pattern.text})`);
  }

  /** Installs what the plugins contribute. Called once, before {@link listen}. */
  async assemble(resolve: Resolver): Promise<void> {
    const middlewares = resolve.all(HttpMiddleware);
    const naming = spanNaming((context) => this.routeFor(context));
    if (naming) this.koa.use(naming as unknown as Koa.Middleware);
    const first = middlewares.flatMap(({ outermost }) => (outermost ? [applying(outermost)] : []));
    for (const step of first) this.koa.use(step as unknown as Koa.Middleware);
    for (const { name, handle } of middlewares) {
      this.#middlewares.push(name);
      this.koa.use(middlewareStep(handle, `the middleware ${name}`) as Koa.Middleware);
    }
    announcePreflight(
      this.koa,
      middlewares.flatMap(({ onPreflight }) => onPreflight ?? []),
    );
    this.koa.targetRules(
      [...first, ...middlewares.flatMap(({ seesRefused, handle }) => (seesRefused ? [handle as ChainStep] : []))],
      (method, path) => takesEncodedSlash(this.#tables, method, path),
    );
    if (this.options.inFlight) {
      const isExempt = (context: HttpContext) => this.#isAlwaysAnswered(context);
      this.#inFlight = new InFlight(this.options.inFlight, isExempt, this.log);
      this.koa.boundInFlight(this.#inFlight);
    }
    const authenticator = resolve.getOptional(RouteAuthenticator);
    const routeHost = {
      authenticator,
      add: (route: Route) => this.#add(route),
      bodyLimit: this.options.bodyLimit,
      requestTime: milliseconds(this.options.requestTimeout),
      handlerTimeout: this.options.handlerTimeout,
      bounds: this.options,
      uploadFolder: this.options.uploadFolder,
      workers: () => (this.#workers ??= new WorkerPool(this.options.workers, this.log)),
      mounts: this.mounts,
      schemaIds: new SchemaIds(),
      outputOf: routeOutputs(resolve.all(ModelCatalogue), this.log, this.profile),
    };
    for (const module of resolve.all(HttpRoutes)) {
      await registerModule(module, resolve, routeHost);
    }
    this.#isAssembled = true;
    const worker = thisWorker();
    const held = worker?.held ?? [];
    if (worker && held.length > 0) {
      this.#elsewhere = { isHeld: heldPaths(held), forwarder: new Forwarder(worker.door, this.log) };
    }
    this.#upgrades = resolve.all(HttpUpgrade);
    Object.assign(this.koa.context, { [DRAINING]: this.draining, [NAMES_LOST_VALUES]: this.profile !== 'prod' });
    this.koa.use(dispatcher(this.#tables, authenticator) as unknown as Koa.Middleware);
    for (const route of this.shadowed()) this.log.warn(`route never answers: ${route} is registered earlier`);
  }

  /**
   * Opens the socket.
   * @throws FwError `FW_HTTP_PORT_IN_USE`, `FW_HTTP_LISTEN` for any other reason, `FW_HTTP_TLS_FILE` or `FW_HTTP_TLS_INVALID`
   */
  async listen(): Promise<void> {
    const listener = await this.#createListener(await this.#responseClass());
    this.#address = await listener.listen();
    this.#listener = listener;
    await this.#door?.open((thisWorker() as ThisWorker).door);
    // An address that somebody else holds was there before, and will be there afterwards.
    if (!listener.isHeld) this.log.info({ url: this.url }, 'listening');
  }

  /** Refuses new connections, waits for running requests until the deadline, then cuts what is left. */
  async drain(): Promise<void> {
    const listener = this.#listener;
    if (listener === undefined) return;
    this.#listener = undefined;
    this.#draining.abort();
    const timeout = milliseconds(this.options.shutdownTimeout);
    await Promise.all([listener.drain(timeout, () => this.#cut()), this.#door?.close(timeout)]);
    await this.#workers?.close();
  }

  #add(route: Route): void {
    const { info, module } = route;
    const what = `${info.method} ${info.path}`;
    // It would stand in no document and no list of routes that others have read by now.
    if (this.#isAssembled) throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_LATE, { what, module });
    const { operationId } = info;
    const other = operationId === undefined ? undefined : this.#operations.get(operationId);
    if (other !== undefined) {
      const problem = `its \`operationId\` "${operationId}" is that of ${other}`;
      throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_OPTION, { what, module, problem });
    }
    if (operationId !== undefined) this.#operations.set(operationId, what);
    (route.info.websocket ? this.#webSockets : this.#table).add(route);
    this.#routes.push(route.info);
  }

  #isAlwaysAnswered(context: HttpContext): boolean {
    return upgradeOf(context.req) !== undefined || this.routeFor(context)?.evenWhenBusy === true;
  }

  #bound(): AddressInfo {
    if (this.#address === undefined) throw fwError(HTTP_ERRORS.FW_HTTP_NOT_LISTENING, {});
    return this.#address;
  }

  async #responseClass(): Promise<typeof ServerResponse> {
    const { fastPath } = this.options;
    if (fastPath === 'off') return PlainResponse;
    if (fastPath === 'public') return LineResponse;
    if (await selfTest()) return FastResponse;
    this.log.warn(`the fast path does not know Node ${process.version}: using documented members of it only`);
    return LineResponse;
  }

  async #createListener(Response: typeof ServerResponse): Promise<Listener> {
    const { draining, options, log } = this;
    const answer = this.#guarded(this.koa.callback() as RequestListener);
    const upgrades = new UpgradeDispatch(
      this.#upgrades,
      this.#routes.some(({ websocket }) => websocket),
      this.#elsewhere,
    );
    const answerHttp2: RequestListener = (request, response) => {
      const refused = hostError(request);
      if (refused) refuseHost(response, refused);
      else if (this.#elsewhere?.isHeld(request.url)) this.#elsewhere.forwarder.request(request, response);
      else if (!this.health?.answers(request, response)) answer(request, response);
    };
    const classes = {
      ServerResponse: Response,
      ...(!upgrades.isIdle && { IncomingMessage: requestClass(upgrades) }),
    };
    const answerHttp1 =
      (isRetiring: () => boolean): RequestListener =>
      (request, response) => {
        if (draining.aborted || isRetiring()) response.setHeader('Connection', 'close');
        if (request.headers.upgrade !== undefined) closeAfterIgnored(request, response);
        answerHttp2(request, response);
      };
    const listener: Listener = await Listener.create({
      options,
      log,
      root: this.root,
      classes,
      answer: answerHttp1(() => listener.isRetiring),
      answerHttp2,
    });
    const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      void this.#upgrade(socket, () => upgrades.dispatch(request, socket, head, answer));
    if (!upgrades.isIdle) listener.server.on('upgrade', upgrade);
    if (isFirstOfSeveral(thisWorker())) {
      this.#door = new WorkerDoor({
        options: { maxHeaderSize: options.maxHeaderSize, joinDuplicateHeaders: true, ...classes },
        // The one without headers about the connection: the client of the other worker may speak HTTP/2, which has none.
        answer: answerHttp2,
        upgrade: upgrades.isIdle ? undefined : upgrade,
      });
    }
    return listener;
  }

  // The application handles its own errors, including later ones; any other exception would end the process.
  #guarded(answer: RequestListener): RequestListener {
    return (request, response) => {
      try {
        answer(request, response);
      } catch (error) {
        this.#cutConnection(response, error);
      }
    };
  }

  async #upgrade(socket: Duplex, dispatch: () => unknown): Promise<void> {
    this.#upgraded.add(socket);
    socket.once('close', () => this.#upgraded.delete(socket));
    // An error of a disconnected client must not end the process.
    socket.on('error', () => socket.destroy());
    try {
      await dispatch();
    } catch (error) {
      this.#cutConnection(socket, error);
    }
  }

  #cutConnection(connection: { destroy(): unknown }, error: unknown): void {
    this.log.error({ err: error }, 'a connection was cut: an error came where none can be answered');
    connection.destroy();
  }

  #cut(): void {
    this.log.warn(
      { shutdownTimeout: this.options.shutdownTimeout },
      'requests still ran at the deadline; they were cut',
    );
    for (const socket of this.#upgraded) socket.destroy();
  }
}

function applying(apply: (context: HttpContext) => void): ChainStep {
  return direct(function outermost(context, next) {
    apply(context);
    return next();
  });
}

function refuseHost(response: ServerResponse, refused: FwError): void {
  const problem = toProblem(refused);
  response.writeHead(problem.status, { Connection: 'close', 'Content-Type': PROBLEM_MEDIA_TYPE });
  response.end(JSON.stringify(problem));
}

function isFirstOfSeveral(worker: ThisWorker | undefined): boolean {
  return worker !== undefined && worker.isFirst && worker.count > 1;
}
