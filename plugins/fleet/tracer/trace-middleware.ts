import {
  afterNext,
  type AnyMiddleware,
  currentRequestContext,
  direct,
  type HttpContext,
  requestContextEnabled,
  runInRequestContext,
  statusOf,
  yesOnly,
} from '../../../kernel/index.js';
import { attachOwner, attachTrace } from './active-trace.js';
import { finishedRequest, failedRequest } from './finish-request.js';
import { observeRequestBody } from './payload-capture.js';
import type { RequestTrace } from './request-trace.js';
import { epochMs } from './trace-clock.js';
import type { Tracer } from './tracer.js';

/** Options of the middleware. */
export interface MiddlewareOptions {
  /**
   * Requests that are not traced: health checks and introspection (SPEC "Fleet operations", rule 8). Only `true` leaves a request out. Must
   * be synchronous.
   */
  readonly skip?: (context: HttpContext) => boolean;
}

/**
 * Traces every request: continues the caller's trace or begins one, and records a span when the response is decided. Install it outermost,
 * before the dashboard's recorder, so that its duration covers everything. A disabled tracer's middleware only calls the next one.
 *
 * @example app.use(middleware(newTracer({ serviceName: 'orders', aggregatorURL, enabled: true })));
 */
export function middleware(tracer: Tracer | undefined, options: MiddlewareOptions = {}): AnyMiddleware {
  if (!tracer?.enabled) return direct((_context, next) => next());
  const skip = options.skip && yesOnly('skip of the Fleet middleware', options.skip);
  return direct(function trace(context, next) {
    if (skip?.(context)) return next();
    const startMs = epochMs();
    const { headers } = context.req;
    if (!requestContextEnabled() && tracer.isLeftOut(headers)) {
      attachOwner(context, tracer);
      return observed(tracer, context, startMs, next);
    }
    const request = tracer.begin(headers);
    attachTrace(context, request);
    if (request.sampled && tracer.config.capturePayloads()) observeRequestBody(context);
    if (requestContextEnabled()) return ambient(context, request, () => observed(tracer, context, startMs, next));
    return observed(tracer, context, startMs, next);
  });
}

function observed(tracer: Tracer, context: HttpContext, startMs: number, next: () => unknown): unknown {
  return afterNext(
    next,
    () => finishedRequest(tracer, context, startMs),
    (error: unknown) => {
      failedRequest(tracer, context, startMs, statusOf(error), error);
      throw error;
    },
  );
}

// An existing ambient context keeps its request id and signal.
function ambient(context: HttpContext, request: RequestTrace, run: () => unknown): unknown {
  const open = currentRequestContext();
  const ids = { traceId: request.traceId, spanId: request.spanId };
  if (open) {
    attachTrace(Object.assign(open, ids), request);
    return run();
  }
  const made = { requestId: requestIdOf(context, request), signal: context.signal, ...ids };
  attachTrace(made, request);
  return runInRequestContext(made, run);
}

// A caller's request id appears in logs, so it has to be short and plain.
function requestIdOf({ req }: HttpContext, { spanId }: RequestTrace): string {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : spanId;
}
