import { collectDefaultMetrics, Registry } from 'prom-client';
import {
  afterNext,
  definePlugin,
  DiagnosticsRegistry,
  direct,
  type Door,
  fwError,
  type HttpContext,
  HttpMiddleware,
  LocalDoors,
  monotonicMs,
  statusOf,
} from '../../../kernel/index.js';
import { KnownSecret } from '../../../kernel/secrets/index.js';
import { recordedTraceIDOf } from '../tracer/index.js';
import { METRICS_ERRORS } from './errors.js';
import { metricsOptions } from './options.js';
import { RequestMetrics } from './request-metrics.js';
import { exportProbes } from './subsystem-metrics.js';

export { METRICS_ERRORS } from './errors.js';

const DOOR: Door = { name: 'the metrics', credential: 'token of fw/fleet/metrics' };

export default definePlugin({
  id: 'fleet/metrics',
  category: 'fleet',
  description: 'Numbers of requests, process and subsystems in the OpenMetrics format',
  options: metricsOptions,
  needs: ['http'],
  optionalNeeds: ['fleet/tracer'],
  order: {
    before: ['middleware/recovery', 'middleware/logging', 'middleware/rate-limit', 'middleware/jwt'],
    because: 'what they answer is counted, and a scraper has a credential of its own',
  },
  register({ options, contribute }) {
    refuseDisorder(options.buckets);
    const registry = new Registry();
    // Only this format has exemplars, which lead from a slow bucket to a trace.
    registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    const requests = new RequestMetrics(registry, options);
    if (options.process) collectDefaultMetrics({ register: registry });
    contribute(HttpMiddleware, (resolve) => {
      exportProbes(registry, resolve.get(DiagnosticsRegistry));
      const permit = doorman(options.token, resolve.get(LocalDoors));
      const handle = direct((context, next) => {
        if (context.path === options.path && /^(?:GET|HEAD)$/.test(context.method))
          return exposed(registry, permit, context);
        return counted(requests, context, next);
      });
      return { name: 'fleet-metrics', handle, seesRefused: true };
    });
  },
});

function counted(requests: RequestMetrics, context: HttpContext, next: () => unknown): unknown {
  const startMs = monotonicMs();
  requests.began();
  const ended = (status: number) =>
    requests.ended({
      method: context.method,
      status,
      route: context.route?.path,
      seconds: (monotonicMs() - startMs) / 1000,
      traceId: recordedTraceIDOf(context),
    });
  return afterNext(
    next,
    () => ended(context.res.statusCode),
    (error: unknown) => {
      ended(statusOf(error));
      throw error;
    },
  );
}

async function exposed(
  registry: Registry,
  permit: (context: HttpContext) => void,
  context: HttpContext,
): Promise<void> {
  permit(context);
  context.set('Cache-Control', 'no-store');
  context.body = await registry.metrics();
  context.set('Content-Type', registry.contentType);
}

function doorman(token: string, doors: LocalDoors): (context: HttpContext) => void {
  const expected = new KnownSecret(`Bearer ${token}`);
  return (context) => {
    if (token === '') {
      const refusal = doors.refusal(context.req, DOOR);
      if (refusal) throw refusal;
      return;
    }
    if (expected.isGivenAs(context.get('Authorization'))) return;
    context.set('WWW-Authenticate', 'Bearer realm="fw metrics"');
    throw fwError(METRICS_ERRORS.FW_METRICS_UNAUTHORIZED, {});
  };
}

function refuseDisorder(buckets: readonly number[]): void {
  const bucket = buckets.find((each, at) => at > 0 && each <= (buckets[at - 1] as number));
  if (bucket !== undefined) throw fwError(METRICS_ERRORS.FW_METRICS_BUCKETS, { bucket });
}
