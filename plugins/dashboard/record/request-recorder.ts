import { randomUUID } from 'node:crypto';
import {
  afterNext,
  causeOf,
  type Clock,
  currentRequestContext,
  direct,
  type HttpContext,
  type Logger,
  type Middleware,
  requestContextEnabled,
  routePlaceOf,
  runInRequestContext,
  type RouteInfo,
  statusOf,
} from '../../../kernel/index.js';
import { cutText } from '../../../kernel/log/index.js';
import type { RequestDetail, RequestRecord } from '../wire/api.js';
import { causeFacts } from './cause-facts.js';
import { Latencies, roundedMs } from './latencies.js';
import { Ring } from '../../../kernel/bounded/index.js';
import { shownHeaders } from './shown-headers.js';
import type { RequestStatements, Timelines } from './timelines.js';
import { Traffic } from './traffic.js';

/** Traffic of a route. */
export interface RouteTraffic {
  requests: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  /** Milliseconds since the epoch. */
  lastAt: number;
  readonly latencies: Latencies;
  readonly statements: StatementTraffic;
}

/** Database statements of a route's requests. */
export interface StatementTraffic {
  /** Requests with statements. */
  requests: number;
  total: number;
  most: number;
  slowest: { readonly sql: string; readonly ms: number } | undefined;
  /** The most repeated statement of one request. */
  repeated: RequestStatements['repeated'];
}

/** How requests are recorded. */
interface RecorderOptions {
  /** Requests below this path are the dashboard's own. */
  readonly basePath: string;
  readonly maxRequests: number;
  readonly slowMs: number;
  /** Folder of the application, whose sources are its own. */
  readonly root: string;
}

/** Request header with which a client can find the record of its request: 32 hexadecimal digits. */
const MARKER = 'fw-simulation';

/** Longest path that is kept, in characters. */
const MAX_PATH = 2_000;

/** Milliseconds for which a reader of the records counts as watching. */
const WATCH_MS = 60_000;

/**
 * Records requests: statistics of all, full records of failed and slow ones, and of all while somebody reads the records. It never changes
 * a response, and its own errors do not reach the request.
 */
export class RequestRecorder {
  readonly records: Ring<RequestDetail>;
  readonly traffic: Traffic;
  /** Called with every record, and with the error behind a 4xx or 5xx response. */
  onRecord: (detail: RequestDetail, error: unknown) => void = () => undefined;
  /** Whether a viewer is connected, so that every request is recorded. */
  hasViewers: () => boolean = () => false;
  readonly #routes = new Map<RouteInfo, RouteTraffic>();
  #watchedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly options: RecorderOptions,
    private readonly clock: Clock,
    private readonly timelines: Timelines,
    private readonly log: Logger,
  ) {
    this.records = new Ring(options.maxRequests);
    this.traffic = new Traffic(clock);
  }

  /** Routes with traffic. */
  get trackedRoutes(): number {
    return this.#routes.size;
  }

  get watched(): boolean {
    return this.hasViewers() || this.clock.monotonic() < this.#watchedUntil;
  }

  trafficOf(route: RouteInfo): RouteTraffic | undefined {
    return this.#routes.get(route);
  }

  /** Records all requests for a while, because somebody reads the records. */
  watch(): void {
    this.#watchedUntil = this.clock.monotonic() + WATCH_MS;
  }

  /** Whether a path is the dashboard's own. */
  readonly isOwn = (path: string): boolean => {
    const { basePath } = this.options;
    return path.startsWith(basePath) && (path.length === basePath.length || path[basePath.length] === '/');
  };

  /** The middleware; it stands outside the nine, inside Fleet's. */
  middleware(): Middleware {
    return direct((context, next) => {
      if (this.isOwn(context.path)) return next();
      return withContext(context, () => this.#observed(context, next));
    });
  }

  #observed(context: HttpContext, next: () => unknown): unknown {
    const from = this.clock.monotonic();
    const completed = () => this.#observe(context, from, context.status);
    return afterNext(next, completed, (error) => {
      this.#observe(context, from, statusOf(error), error);
      throw error;
    });
  }

  #observe(context: HttpContext, from: number, status: number, error?: unknown): void {
    try {
      this.#record(context, from, status, error);
    } catch (error) {
      this.log.warn({ err: error }, 'the dashboard could not record a request');
    }
  }

  #record(context: HttpContext, from: number, status: number, thrown: unknown): void {
    const ms = this.clock.monotonic() - from;
    this.traffic.add(status, ms);
    const statements = this.timelines.statementsOfCurrent();
    if (context.route) this.#count(context.route, ms, status, statements);
    const marker = markerOf(context);
    if (status < 400 && ms < this.options.slowMs && marker === undefined && !this.watched) return;
    const error = status < 400 ? undefined : (thrown ?? causeOf(context));
    const detail = {
      ...this.#detailOf(context, from, ms, status),
      ...(requestContextEnabled() && { statements: statements?.count ?? 0 }),
      ...(error !== undefined && { cause: causeFacts(error, this.options.root) }),
      ...(error !== undefined && context.route && placed(routePlaceOf(context.route))),
      ...(marker !== undefined && { marker }),
    };
    this.records.push(detail);
    this.onRecord(detail, error);
  }

  #count(route: RouteInfo, ms: number, status: number, statements: RequestStatements | undefined): void {
    let traffic = this.#routes.get(route);
    if (!traffic) this.#routes.set(route, (traffic = noTraffic()));
    traffic.requests++;
    if (status >= 500) traffic.errors++;
    traffic.totalMs += ms;
    if (ms > traffic.maxMs) traffic.maxMs = ms;
    traffic.lastAt = this.clock.now();
    traffic.latencies.add(ms);
    if (statements) countStatements(traffic.statements, statements);
  }

  #detailOf(context: HttpContext, from: number, ms: number, status: number): RequestDetail {
    const traceId = currentRequestContext()?.traceId;
    const { steps, dropped } = this.timelines.ofCurrent(from);
    return {
      id: String(this.traffic.requests),
      time: new Date(this.clock.now() - ms).toISOString(),
      method: context.method,
      path: cutText(context.path, MAX_PATH),
      route: context.route?.path ?? '',
      status,
      duration_us: Math.round(ms * 1000),
      duration_ms: roundedMs(ms),
      ip: context.clientIp,
      user: userOf(context),
      user_agent: cutText(context.get('user-agent'), 300),
      resp_size: context.length ?? 0,
      // Not the error's message, which may contain a user's data.
      ...(status >= 500 && { error: `HTTP ${status}` }),
      ...(traceId !== undefined && { trace_id: traceId }),
      steps: steps.length,
      ...shownHeaders(context),
      timeline: steps,
      steps_dropped: dropped,
      correlated: requestContextEnabled(),
    };
  }
}

// Opens a request context, unless the tracer has opened one: queries and log lines are assigned to a request by it.
function withContext(context: HttpContext, run: () => unknown): unknown {
  if (!requestContextEnabled() || currentRequestContext()) return run();
  return runInRequestContext({ requestId: randomUUID(), signal: context.signal }, run);
}

/** A record for lists, without the parts that only its own page shows. */
export function recordOf(detail: RequestDetail): RequestRecord {
  const { request_headers: _in, response_headers: _out, timeline: _steps, steps_dropped: _dropped, correlated: _correlated, cause: _cause, marker: _marker, handler: _handler, ...record } = detail; // prettier-ignore
  return record;
}

function noTraffic(): RouteTraffic {
  const statements = { requests: 0, total: 0, most: 0, slowest: undefined, repeated: undefined };
  return { requests: 0, errors: 0, totalMs: 0, maxMs: 0, lastAt: 0, latencies: new Latencies(), statements };
}

function countStatements(traffic: StatementTraffic, { count, slowest, repeated }: RequestStatements): void {
  traffic.requests++;
  traffic.total += count;
  traffic.most = Math.max(traffic.most, count);
  if (slowest && slowest.ms >= (traffic.slowest?.ms ?? 0)) traffic.slowest = slowest;
  if (repeated && repeated.times >= (traffic.repeated?.times ?? 0)) traffic.repeated = repeated;
}

function placed(place: string | undefined): { readonly handler?: string } {
  return place === undefined ? {} : { handler: place };
}

function markerOf(context: HttpContext): string | undefined {
  const given = context.get(MARKER);
  return /^[0-9a-f]{32}$/.test(given) ? given : undefined;
}

function userOf(context: HttpContext): string {
  const claims = (context.state as { user?: { sub?: unknown } } | undefined)?.user;
  return typeof claims?.sub === 'string' ? claims.sub : '';
}
