import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import {
  fwError,
  HttpMiddleware,
  HttpRoutes,
  type HttpServer,
  HttpUpgrade,
  type Logger,
  milliseconds,
  PROBLEM_MEDIA_TYPE,
  type Resolver,
  type RouteInfo,
  toProblem,
} from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { FastApplication } from './fast-koa/fast-application.js';
import { FastResponse } from './fast-koa/fast-response.js';
import { LineResponse } from './fast-koa/line-response.js';
import { selfTest } from './fast-koa/self-test.js';
import { KoaApplication, type RequestListener } from './koa-application.js';
import type { HttpOptions } from './options.js';
import { announcePreflight } from './preflight.js';
import { dispatcher } from './route-dispatch.js';
import { RouteTable } from './route-table.js';
import { registerModule, type Route } from './router.js';
import { DRAINING } from './server-sent-events.js';
import { StaticMounts } from './static/static-mounts.js';
import { upgradeDispatcher } from './upgrade-dispatch.js';
import { WorkerPool } from './workers/worker-pool.js';

/** How often connections that became idle while draining are looked for, in milliseconds. */
const DRAIN_SWEEP_MS = 20;

/** How often connections that are too slow are looked for, in milliseconds. */
const CHECK_CONNECTIONS_MS = 1000;

/** The server of an application: middlewares, routes and the socket. */
export class HttpHost implements HttpServer {
  readonly koa: Koa;
  readonly #table = new RouteTable<Route>();
  readonly #webSockets = new RouteTable<Route>();
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
  ) {
    const Application = options.fastPath === 'off' ? KoaApplication : FastApplication;
    this.koa = new Application(log, options.trustedProxies);
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
    for (const { name, handle } of middlewares) {
      this.#middlewares.push(name);
      this.koa.use(handle as Koa.Middleware);
    }
    announcePreflight(
      this.koa,
      middlewares.flatMap(({ onPreflight }) => onPreflight ?? []),
    );
    const routeHost = {
      add: (route: Route) => this.#add(route),
      bodyLimit: this.options.bodyLimit,
      uploadFolder: this.options.uploadFolder,
      workers: () => (this.#workers ??= new WorkerPool(this.options.workers)),
      mounts: this.mounts,
    };
    for (const module of resolve.all(HttpRoutes)) {
      registerModule(module, resolve, routeHost);
    }
    this.#upgrades = resolve.all(HttpUpgrade);
    Object.assign(this.koa.context, { [DRAINING]: this.draining });
    this.koa.use(dispatcher({ routes: this.#table, webSockets: this.#webSockets }) as unknown as Koa.Middleware);
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
    if (fastPath === 'off') return ServerResponse;
    if (fastPath === 'public') return LineResponse;
    if (await selfTest()) return FastResponse;
    this.log.warn(`the fast path does not know Node ${process.version}: using documented members of it only`);
    return LineResponse;
  }

  #createServer(Response: typeof ServerResponse): Server {
    const { maxHeaderSize, keepAliveTimeout, headersTimeout, requestTimeout } = this.options;
    const answer = this.koa.callback() as RequestListener;
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
    };
    const server = createServer(limits, (request, response) => {
      if (draining.aborted) response.setHeader('Connection', 'close');
      if (hasTwoHosts(request)) refuseTwoHosts(response);
      else answer(request, response);
    });
    // With a listener Node hands every request to upgrade over; without one it answers them like any other.
    const hasWebSockets = this.#routes.some(({ websocket }) => websocket);
    if (hasWebSockets || this.#upgrades.length > 0) {
      const dispatch = upgradeDispatcher(this.#upgrades, hasWebSockets ? answer : undefined);
      server.on('upgrade', (request, socket, head) => {
        this.#upgraded.add(socket);
        socket.once('close', () => this.#upgraded.delete(socket));
        dispatch(request, socket, head);
      });
    }
    return server.on('connection', (socket: Socket) => this.#watch(socket));
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

// RFC 9112, section 3.2. Two hosts mean that somebody on the way sees another one than we do.
function hasTwoHosts({ headers }: IncomingMessage): boolean {
  return headers.host !== undefined && headers.host.includes(',');
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
