import {
  afterNext,
  type Clock,
  currentRequestContext,
  direct,
  type HttpContext,
  type Logger,
  type Middleware,
  requestContextEnabled,
  type RouteInfo,
  statusOf,
} from '../../../kernel/index.js';
import { cutText } from '../../../kernel/log/index.js';
import type { RequestDetail, RequestRecord } from '../wire/api.js';
import { Latencies, roundedMs } from './latencies.js';
import { Ring } from './ring.js';
import { shownHeaders } from './shown-headers.js';
import type { Timelines } from './timelines.js';
import { Traffic } from './traffic.js';

/** What is known of a route's traffic. */
export interface RouteTraffic {
  requests: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  /** Milliseconds since the epoch. */
  lastAt: number;
  readonly latencies: Latencies;
}

/** How requests are recorded. */
export interface RecorderOptions {
  /** Requests below this path are the dashboard's own. */
  readonly basePath: string;
  readonly maxRequests: number;
  readonly slowMs: number;
}

/** Longest path that is kept, in characters. */
const MAX_PATH = 2_000;

/** Milliseconds for which a reader of the records counts as watching. */
const WATCH_MS = 60_000;

/**
 * Watches requests: statistics of every one, a full record of those that failed or were slow, and of all while somebody
 * reads the records. It never changes an answer, and its own failures stay inside.
 */
export class RequestRecorder {
  readonly records: Ring<RequestDetail>;
  readonly traffic: Traffic;
  /** Told about every record. */
  onRecord: (record: RequestRecord) => void = () => undefined;
  /** Whether somebody is connected, who wants to see every request. */
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

  /** Somebody looks at the records: for a while all requests are recorded. */
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
      const from = this.clock.monotonic();
      const completed = () => this.#observe(context, from, context.status);
      return afterNext(next, completed, (error) => {
        this.#observe(context, from, statusOf(error));
        throw error;
      });
    });
  }

  #observe(context: HttpContext, from: number, status: number): void {
    try {
      this.#record(context, from, status);
    } catch (error) {
      this.log.warn({ err: error }, 'the dashboard could not record a request');
    }
  }

  #record(context: HttpContext, from: number, status: number): void {
    const ms = this.clock.monotonic() - from;
    this.traffic.add(status, ms);
    if (context.route) this.#count(context.route, ms, status);
    if (status < 400 && ms < this.options.slowMs && !this.watched) return;
    const detail = this.#detailOf(context, from, ms, status);
    this.records.push(detail);
    this.onRecord(recordOf(detail));
  }

  #count(route: RouteInfo, ms: number, status: number): void {
    let traffic = this.#routes.get(route);
    if (!traffic) this.#routes.set(route, (traffic = noTraffic()));
    traffic.requests++;
    if (status >= 500) traffic.errors++;
    traffic.totalMs += ms;
    if (ms > traffic.maxMs) traffic.maxMs = ms;
    traffic.lastAt = this.clock.now();
    traffic.latencies.add(ms);
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
      // Never the error's own text, which may hold a user's data.
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

/** A record as lists give it, without what only its own page shows. */
export function recordOf(detail: RequestDetail): RequestRecord {
  const { request_headers: _in, response_headers: _out, timeline: _steps, steps_dropped: _dropped, correlated: _correlated, ...record } = detail; // prettier-ignore
  return record;
}

function noTraffic(): RouteTraffic {
  return { requests: 0, errors: 0, totalMs: 0, maxMs: 0, lastAt: 0, latencies: new Latencies() };
}

function userOf(context: HttpContext): string {
  const claims = (context.state as { user?: { sub?: unknown } } | undefined)?.user;
  return typeof claims?.sub === 'string' ? claims.sub : '';
}
