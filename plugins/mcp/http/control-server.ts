import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, fwError, type Logger, systemClock } from '../../../kernel/index.js';
import { listen, type Listening, StalledClients } from '../../../kernel/net/index.js';
import { MCP_ERRORS } from '../errors.js';
import type { ControlPlane } from '../protocol/control-plane.js';
import { type ConnectServer, connectServer } from '../protocol/sdk-server.js';
import { AccessRules } from './access-rules.js';
import { featuresReport } from './features-report.js';
import { MESSAGES_PATH, openLegacySession } from './legacy-sse.js';
import { CONTROL_ADDRESS, type Rejection, sendJson, sendRejection } from './rejection.js';
import { readJsonBody } from './request-body.js';
import { Sessions } from './sessions.js';
import { isInitialize, openStreamableSession } from './streamable-http.js';

/** Parts of a control server. */
export interface ControlServerOptions {
  readonly plane: ControlPlane;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly token: string;
  readonly allowedOrigins: readonly string[];
  readonly log: Logger;
  readonly clock?: Clock;
  /** Connects a server to each connection; default the control plane. */
  readonly connect?: ConnectServer;
  /** How long a client may take nothing of what waits for it, in milliseconds; default a minute. */
  readonly sendTimeout?: number;
}

const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  '/mcp': ['POST', 'GET', 'DELETE'],
  '/mcp/features': ['GET'],
  '/sse': ['GET'],
  [MESSAGES_PATH]: ['POST'],
};

const HEADERS_TIMEOUT_MS = 10_000;
/**
 * How long an idle connection is kept. Node's five seconds are about as long as an agent thinks between two calls: its next request could
 * meet a connection that is being closed, and clients do not retry a POST automatically (RFC 9110, section 9.2.2).
 */
const KEEP_ALIVE_MS = 65_000;
/** After this time without a sign of it, the system asks whether a client is still there: its open stream keeps a session. */
const PROBE_AFTER_MS = 60_000;
const BODY_TIMEOUT_MS = 60_000;
const SEND_TIMEOUT_MS = 60_000;
const MAX_CONNECTIONS = 2_048;
const SWEEP_MS = 60_000;

/**
 * A control address: Streamable HTTP at `/mcp`, HTTP+SSE at `/sse` and `/messages`, the capability report at
 * `/mcp/features`. Every request is checked first: token, Host, Origin, path, method; only the preflight of a listed origin
 * comes without a token.
 */
export class ControlServer {
  readonly sessions: Sessions;
  readonly rules: AccessRules;
  readonly #server: Server;
  readonly #sweeper: NodeJS.Timeout;
  readonly #connect: ConnectServer;
  readonly #sockets = new Set<Socket>();
  readonly #stalled: StalledClients;
  #listening: Listening | undefined;
  #serving = false;
  #failure: string | undefined;

  constructor(private readonly options: ControlServerOptions) {
    const { log, plane, clock = systemClock, sendTimeout = SEND_TIMEOUT_MS } = options;
    this.#connect = options.connect ?? ((transport) => connectServer(plane, transport));
    this.rules = new AccessRules(options);
    this.sessions = new Sessions(clock, (error) => log.warn({ err: error }, 'a session could not be closed'));
    this.#server = createServer({
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: BODY_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('request', (request, response) => void this.#handle(request, response));
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#stalled = new StalledClients({ limit: sendTimeout, log, sockets: () => this.#sockets });
    this.#sweeper = setInterval(() => this.sessions.sweep(), SWEEP_MS).unref();
  }

  /** Port that is bound. */
  get port(): number {
    return this.#listening?.address.port ?? this.options.port;
  }

  /** `http://host:port`. */
  get url(): string {
    const { host } = this.options;
    return `http://${host.includes(':') ? `[${host.replace(/[[\]]/g, '')}]` : host}:${this.port}`;
  }

  /** How many clients were cut because they took nothing of their answers. */
  get stalledClients(): number {
    return this.#stalled.cut;
  }

  /** Why the address no longer works; undefined while it does. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Takes the address. @throws FwError `FW_MCP_PORT_IN_USE`, `FW_MCP_LISTEN` */
  async bind(): Promise<void> {
    const { host, port } = this.options;
    const address = { host: host.replace(/[[\]]/g, ''), port };
    this.#listening = await listen(this.#server, address).catch((cause: NodeJS.ErrnoException) => {
      clearInterval(this.#sweeper);
      this.#stalled.stop();
      throw bindError(cause, host, port);
    });
    this.#server.on('error', (error) => {
      this.#failure = error.message;
      this.options.log.error({ err: error }, 'the control address failed');
    });
  }

  /** Begins to answer. */
  serve(): void {
    this.#serving = true;
  }

  /** Ends every session and connection. Running calls are cancelled. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    this.#stalled.stop();
    await this.sessions.closeAll();
    const closed = this.#listening?.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { method, headers } = request;
      const preflight = this.rules.preflight(method, headers);
      if (preflight) return void response.writeHead(204, { ...preflight, 'Cache-Control': 'no-store' }).end();
      // Set on refusals too, so that a page can read the reason.
      response.setHeaders(new Map(Object.entries(this.rules.forBrowsers(headers))));
      const rejection = this.#check(request) ?? (await this.#route(request, response));
      if (rejection) this.#reject(request, response, rejection);
    } catch (error) {
      this.options.log.error({ err: error }, 'an MCP request failed');
      if (response.headersSent) response.destroy();
      else
        this.#reject(request, response, {
          status: 500,
          reason: 'body unreadable',
          message: 'Internal error',
          code: -32603,
        });
    }
  }

  #check(request: IncomingMessage): Rejection | undefined {
    const rejection = this.rules.check(request.headers, this.port);
    if (rejection) return rejection;
    if (!this.#serving) return NOT_SERVING;
    const allowed = ENDPOINTS[pathOf(request)];
    if (!allowed) return { status: 404, reason: 'path', message: `There is nothing at this path. ${CONTROL_ADDRESS}` };
    if (allowed.includes(request.method ?? '')) return undefined;
    const message = `${request.method} is not possible here; expected ${allowed.join(', ')}. ${CONTROL_ADDRESS}`;
    return { status: 405, reason: 'method', message, headers: { Allow: allowed.join(', ') } };
  }

  #route(request: IncomingMessage, response: ServerResponse): Promise<Rejection | undefined> {
    const { plane } = this.options;
    switch (pathOf(request)) {
      case '/mcp/features':
        return Promise.resolve(void sendJson(response, 200, featuresReport(plane)));
      case '/sse':
        return openLegacySession(this.#connect, this.sessions, response).then(() => undefined);
      case MESSAGES_PATH:
        return this.#inSession(request, response, queryOf(request).get('sessionId'));
      default:
        return this.#streamable(request, response);
    }
  }

  async #streamable(request: IncomingMessage, response: ServerResponse): Promise<Rejection | undefined> {
    const id = request.headers['mcp-session-id'];
    if (request.method !== 'POST') return this.#toSession(request, response, String(id ?? ''), undefined);
    const body = await readJsonBody(request);
    if ('status' in body) return body;
    if (!isInitialize(body.value)) return this.#toSession(request, response, String(id ?? ''), body.value);
    await openStreamableSession(this.#connect, this.sessions, request, response, body.value);
    return undefined;
  }

  async #inSession(
    request: IncomingMessage,
    response: ServerResponse,
    id: string | null,
  ): Promise<Rejection | undefined> {
    const body = await readJsonBody(request);
    return 'status' in body ? body : this.#toSession(request, response, id ?? '', body.value);
  }

  async #toSession(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    body: unknown,
  ): Promise<Rejection | undefined> {
    if (id === '') return SESSION_MISSING;
    return (await this.sessions.handle(id, request, response, body)) ? undefined : SESSION_UNKNOWN;
  }

  #reject(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
    const { remoteAddress, remotePort } = request.socket;
    const peer = remoteAddress === undefined ? '' : `${remoteAddress}:${remotePort}`;
    this.options.plane.observe({ kind: 'rejected', status: rejection.status, reason: rejection.reason, peer });
    sendRejection(response, rejection);
  }
}

const NOT_SERVING: Rejection = {
  status: 503,
  reason: 'path',
  message: 'The application is still starting; try again in a moment.',
  headers: { 'Retry-After': '1' },
};
const SESSION_MISSING: Rejection = {
  status: 400,
  reason: 'session missing',
  message: 'Expected the session id that initialize gave: header Mcp-Session-Id at /mcp, query sessionId at /messages.',
};
const SESSION_UNKNOWN: Rejection = {
  status: 404,
  reason: 'session unknown',
  message: 'There is no such session: it ended, or was idle for too long. Send initialize again.',
  code: -32001,
};

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0] ?? '';
}

function queryOf(request: IncomingMessage): URLSearchParams {
  return new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
}

function bindError(cause: NodeJS.ErrnoException, host: string, port: number) {
  if (cause.code === 'EADDRINUSE') return fwError(MCP_ERRORS.FW_MCP_PORT_IN_USE, { host, port }, { cause });
  return fwError(MCP_ERRORS.FW_MCP_LISTEN, { host, port, reason: cause.message }, { cause });
}
