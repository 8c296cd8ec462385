import {
  countersEnabled,
  degraded,
  direct,
  failureOf,
  HitCounter,
  type HttpContext,
  isThenable,
  milliseconds,
  ok,
  type ProbeReport,
  systemClock,
} from '../../../kernel/index.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { boundedKey, clientAddress, isPreflight, type ProbedMiddleware, withProbe } from '../../http/index.js';
import { networkOf } from './client-key.js';
import { durationText } from './duration-text.js';
import { FixedWindows, type RateLimitStore, type WindowState } from './fixed-window.js';
import type { RateLimiterOptions } from './options.js';

/** Above this share of refused requests the probe is degraded. */
const DEGRADED_SHARE = 0.1;

interface Limits {
  readonly requests: number;
  readonly windowMs: number;
  readonly message: string;
  readonly headers: boolean;
  readonly now: () => number;
}

/**
 * Limits requests per client in fixed windows (SPEC "Middleware chain", 3). There is no silent default: without `requests`
 * or `per` everything is refused.
 */
export function newRateLimiter(options: RateLimiterOptions = {}): ProbedMiddleware {
  const limits = limitsOf(options);
  const store = options.store ?? new FixedWindows(options.maxClients);
  const keyOf = keyFunction(options);
  const counter = new HitCounter({ hit: 'allowed', miss: 'rejected_429' }, limits.now);
  const failures = { count: 0, last: '' };
  const admit = (context: HttpContext, next: () => unknown, state: WindowState | undefined, now: number): unknown => {
    if (isAdmitted(state, limits, options.onStoreError)) {
      counter.hit();
      if (limits.headers && state) setHeaders(context, state, limits, now);
      return next();
    }
    counter.miss();
    return refuse(context, state, limits, now);
  };
  const settled = async (context: HttpContext, next: () => unknown, pending: PromiseLike<WindowState>) => {
    const state = await Promise.resolve(pending).catch((error: unknown) => noteFailure(failures, error));
    return admit(context, next, state, limits.now());
  };
  const count = (context: HttpContext, next: () => unknown, key: string, now: number): unknown => {
    let state: WindowState | PromiseLike<WindowState>;
    try {
      state = store.hit(key, limits.windowMs, now);
    } catch (error) {
      return admit(context, next, noteFailure(failures, error), now);
    }
    return isThenable(state)
      ? settled(context, next, state as PromiseLike<WindowState>)
      : admit(context, next, state, now);
  };
  const rateLimiter = direct(function rateLimiter(context, next) {
    const now = limits.now();
    if (limits.requests <= 0 || limits.windowMs <= 0) return admit(context, next, BLOCKED, now);
    const key = ownOfPreflights(keyOf(context), context);
    return typeof key === 'string'
      ? count(context, next, key, now)
      : key.then((late) => count(context, next, late, limits.now()));
  });
  return withProbe(rateLimiter, () => probeReport(limits, counter, store, failures));
}

// Preflights have a count of their own: browsers send one before many requests, which would halve a page's limit.
function ownOfPreflights(key: string | Promise<string>, context: HttpContext): string | Promise<string> {
  if (!isPreflight(context)) return key;
  const own = (of: string) => `preflight ${of}`;
  return typeof key === 'string' ? own(key) : key.then(own);
}

const BLOCKED: WindowState = { count: Infinity, endsAt: 0 };

function limitsOf({
  requests = 0,
  per = 0,
  message,
  headers = false,
  now = systemClock.now,
}: RateLimiterOptions): Limits {
  const windowMs = milliseconds(per);
  const words = message ?? `Rate limit exceeded: max ${requests} requests per ${durationText(windowMs)}`;
  return { requests, windowMs, message: words, headers, now };
}

type KeyFunction = (context: HttpContext) => string | Promise<string>;

function keyFunction(options: RateLimiterOptions): KeyFunction {
  const { key } = options;
  const addressKey = addressFunction(options);
  if (key === undefined) return addressKey;
  const warn = failureOf('key of the rate limiter');
  const ownOr = (given: unknown, context: HttpContext): string =>
    typeof given === 'string' && given !== '' ? boundedKey(given) : addressKey(context);
  const failed = (error: unknown, context: HttpContext): string => {
    warn(error);
    return addressKey(context);
  };
  return (context) => {
    try {
      const given: unknown = key(context);
      if (!isThenable(given)) return ownOr(given, context);
      const own = Promise.resolve(given);
      return own.then((late) => ownOr(late, context), (error: unknown) => failed(error, context)); // prettier-ignore
    } catch (error) {
      return failed(error, context);
    }
  };
}

function addressFunction({ ipv6Prefix = 128, trustedProxies }: RateLimiterOptions): (context: HttpContext) => string {
  const addressOf = clientAddress(trustedProxies ?? []);
  // With the http plugin `clientIp` exists, and that plugin's trusted proxies apply.
  return (context) =>
    networkOf(
      trustedProxies === undefined && context.clientIp !== undefined ? context.clientIp : addressOf(context.req),
      ipv6Prefix,
    );
}

function isAdmitted(
  state: WindowState | undefined,
  limits: Limits,
  onStoreError: 'allow' | 'block' = 'allow',
): boolean {
  return state === undefined ? onStoreError === 'allow' : state.count <= limits.requests;
}

function refuse(context: HttpContext, state: WindowState | undefined, limits: Limits, now: number): void {
  if (state && state !== BLOCKED) {
    const waitMs = state.endsAt - now;
    // The last moment of a window belongs to it.
    context.set('Retry-After', String(waitMs > 0 ? Math.ceil(waitMs / 1000) : 1));
    if (limits.headers) setHeaders(context, state, limits, now);
  }
  context.status = 429;
  context.type = 'text';
  context.body = limits.message;
}

function setHeaders({ res }: HttpContext, { count, endsAt }: WindowState, { requests }: Limits, now: number): void {
  res.setHeader('RateLimit-Limit', requests);
  res.setHeader('RateLimit-Remaining', String(Math.max(0, requests - count)));
  res.setHeader('RateLimit-Reset', String(Math.max(0, Math.ceil((endsAt - now) / 1000))));
}

interface StoreFailures {
  count: number;
  last: string;
}

function noteFailure(failures: StoreFailures, error: unknown): undefined {
  failures.count++;
  failures.last = messageOf(error);
  return undefined;
}

function probeReport(limits: Limits, counter: HitCounter, store: RateLimitStore, failures: StoreFailures): ProbeReport {
  const per = durationText(limits.windowMs);
  const extra = counter.facts({
    limit: limits.requests,
    per,
    ...store.detail?.(),
    ...(failures.count > 0 && { store_errors: failures.count, last_store_error: failures.last }),
  });
  const total = counter.hits + counter.misses;
  if (limits.requests <= 0 || limits.windowMs <= 0)
    return degraded('Every request is refused: requests or per is 0.', extra);
  if (failures.count > 0) return degraded(`The store failed ${failures.count} times: ${failures.last}`, extra);
  if (countersEnabled() && total > 0 && counter.misses / total > DEGRADED_SHARE) {
    return degraded(`${Math.round((counter.misses / total) * 100)} % of the requests are refused.`, extra);
  }
  return ok(`At most ${limits.requests} requests per ${per} and client.`, extra);
}
