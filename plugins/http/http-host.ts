import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import {
  direct,
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
import { HTTP_ERRORS } from './errors.js';
import { FastApplication } from './fast-koa/fast-application.js';
import { FastResponse } from './fast-koa/fast-response.js';
import { LineResponse } from './fast-koa/line-response.js';
import { selfTest } from './fast-koa/self-test.js';
import { markingUntilNext } from './header-mark.js';
import { KoaApplication, type RequestListener } from './koa-application.js';
import type { ChainStep } from './middleware-chain.js';
import type { HttpOptions } from './options.js';
import { routeOutputs } from './output/route-output.js';
import { PlainResponse } from './plain-response.js';
import { announcePreflight } from './preflight.js';
import { hasTwoHosts } from './request-target.js';
import { answering, dispatcher, takesEncodedSlash } from './route-dispatch.js';
import { RouteTable } from './route-table.js';
import { registerModule, type Route } from './router.js';
import { DRAINING } from './server-sent-events.js';
import { StaticMounts } from './static/static-mounts.js';
import { closeAfterIgnored, requestClass, UpgradeDispatch } from './upgrade-dispatch.js';
import { WorkerPool } from './workers/worker-pool.js';

/** How often connections that became idle while draining are looked for, in milliseconds. */
const DRAIN_SWEEP_MS = 20;

/** How often connections that are too slow are looked for, in milliseconds. */
const CHECK_CONNECTIONS_MS = 1000;

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
  readonly #middlewares: string[] = [];
  readonly #draining = new AbortController();
  /** Open connections. Node counts those without a request so far as active, so draining has to close them itself. */
  readonly #sockets = new Set<Socket>();
  #upgrades: readonly HttpUpgrade[] = [];
  #workers: WorkerPool | undefined;
  #server: Server | undefined;
  #address: AddressInfo | undefined;

  constructor(
    private readonly options: HttpOptions,
    private readonly log: Logger,
    private readonly profile: string,
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

  /** The address that it listens on, which a name in the options stands for; the option until it listens. */
  get boundHost(): string {
    return this.#address?.address ?? this.options.host;
  }

  get url(): string {
    const { address, family, port } = this.#bound();
    // An address that means "all interfaces" is not one that a browser can open.
    const host = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
    return `http://${host}:${port}`;
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

  /** Routes that can never answer, with the route that answers for them. */
  shadowed(): readonly string[] {
    return this.#table.shadowed.map(({ route, by }) => `${route.method} ${route.pattern.text} (by ${by.pattern.text})`);
  }

  /** Installs what the plugins contribute. Called once, before {@link listen}. */
  assemble(resolve: Resolver): void {
    const middlewares = resolve.all(HttpMiddleware);
    const first = middlewares.flatMap(({ outermost }) => (outermost ? [applying(outermost)] : []));
    for (const step of first) this.koa.use(step as unknown as Koa.Middleware);
    for (const { name, handle } of middlewares) {
      this.#middlewares.push(name);
      this.koa.use(markingUntilNext(handle as ChainStep) as Koa.Middleware);
    }
    announcePreflight(
      this.koa,
      middlewares.flatMap(({ onPreflight }) => onPreflight ?? []),
    );
    this.koa.targetRules(
      [...first, ...middlewares.flatMap(({ seesRefused, handle }) => (seesRefused ? [handle as ChainStep] : []))],
      (method, path) => takesEncodedSlash(this.#tables, method, path),
    );
    const authenticator = resolve.getOptional(RouteAuthenticator);
    const routeHost = {
      authenticator,
      add: (route: Route) => this.#add(route),
      bodyLimit: this.options.bodyLimit,
      handlerTimeout: this.options.handlerTimeout,
      bounds: this.options,
      uploadFolder: this.options.uploadFolder,
      workers: () => (this.#workers ??= new WorkerPool(this.options.workers)),
      mounts: this.mounts,
      schemaIds: new SchemaIds(),
      outputOf: routeOutputs(resolve.all(ModelCatalogue), this.log, this.profile),
    };
    for (const module of resolve.all(HttpRoutes)) {
      registerModule(module, resolve, routeHost);
    }
    this.#upgrades = resolve.all(HttpUpgrade);
    Object.assign(this.koa.context, { [DRAINING]: this.draining });
    this.koa.use(dispatcher(this.#tables, authenticator) as unknown as Koa.Middleware);
    for (const route of this.shadowed()) this.log.warn(`route never answers: ${route} is registered earlier`);
  }

  /**
   * Opens the socket.
   * @throws FwError `FW_HTTP_PORT_IN_USE`, or `FW_HTTP_LISTEN` for any other reason
   */
  async listen(): Promise<void> {
    const { host, port } = this.options;
    const server = this.#createServer(await this.#responseClass());
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(listenError(cause, host, port)));
      server.listen(port, host, resolve);
    });
    this.#server = server;
    this.#address = server.address() as AddressInfo;
    this.log.info({ url: this.url }, 'listening');
  }

  /** Refuses new connections, waits for running requests until the deadline, then cuts what is left. */
  async drain(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#draining.abort();
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
    const sweep = setInterval(() => server.closeIdleConnections(), DRAIN_SWEEP_MS);
    const deadline = setTimeout(() => this.#cut(server), milliseconds(this.options.shutdownTimeout));
    await new Promise<void>((resolve) => server.close(() => resolve()));
    clearInterval(sweep);
    clearTimeout(deadline);
    await this.#workers?.close();
  }

  #add(route: Route): void {
    (route.info.websocket ? this.#webSockets : this.#table).add(route);
    this.#routes.push(route.info);
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

  #createServer(Response: typeof ServerResponse): Server {
    const { maxHeaderSize, keepAliveTimeout, headersTimeout, requestTimeout } = this.options;
    const answer = this.#guarded(this.koa.callback() as RequestListener);
    const upgrades = new UpgradeDispatch(
      this.#upgrades,
      this.#routes.some(({ websocket }) => websocket),
    );
    const { draining } = this;
    const limits = {
      maxHeaderSize,
      keepAliveTimeout: milliseconds(keepAliveTimeout),
      headersTimeout: milliseconds(headersTimeout),
      requestTimeout: milliseconds(requestTimeout),
      // Node looks for connections that are too slow every 30 s unless it is told otherwise.
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // A second Authorization header must not hide behind the first: joined, it fails to parse.
      joinDuplicateHeaders: true,
      ServerResponse: Response,
      ...(!upgrades.isIdle && { IncomingMessage: requestClass(upgrades) }),
    };
    const server = createServer(limits, (request, response) => {
      if (draining.aborted) response.setHeader('Connection', 'close');
      if (request.headers.upgrade !== undefined) closeAfterIgnored(request, response);
      if (hasTwoHosts(request)) refuseTwoHosts(response);
      else answer(request, response);
    });
    if (!upgrades.isIdle) {
      server.on('upgrade', (request, socket, head) => {
        void this.#upgrade(socket, () => upgrades.dispatch(request, socket, head, answer));
      });
    }
    return server.on('connection', (socket: Socket) => this.#watch(socket));
  }

  // The application answers its own errors, also those that come later; whatever else is thrown would end the process.
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
    // A client that is gone already must not take the process with it.
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

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  #cut(server: Server): void {
    this.log.warn(
      { shutdownTimeout: this.options.shutdownTimeout },
      'requests still ran at the deadline; they were cut',
    );
    server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
  }
}

function applying(apply: (context: HttpContext) => void): ChainStep {
  return direct(function outermost(context, next) {
    apply(context);
    return next();
  });
}

function refuseTwoHosts(response: ServerResponse): void {
  const problem = toProblem(fwError(HTTP_ERRORS.FW_HTTP_TWO_HOSTS, {}));
  response.writeHead(problem.status, { Connection: 'close', 'Content-Type': PROBLEM_MEDIA_TYPE });
  response.end(JSON.stringify(problem));
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number) {
  if (cause.code === 'EADDRINUSE') return fwError(HTTP_ERRORS.FW_HTTP_PORT_IN_USE, { host, port }, { cause });
  return fwError(HTTP_ERRORS.FW_HTTP_LISTEN, { host, port, reason: cause.message }, { cause });
}
