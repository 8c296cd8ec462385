import { AppInfo, definePlugin, HttpMiddleware, HttpServer, LogTap, token } from '../../../kernel/index.js';
import { EventBackend, EventBus } from '../../../kernel/contracts/events.js';
import { SpanRecorder } from '../../../kernel/contracts/fleet.js';
import { QueryObserver } from '../../../kernel/contracts/query-observer.js';
import { appTracer } from './app-tracer.js';
import { spanRecorder } from './child-spans.js';
import { traceEvents } from './event-tracing.js';
import { traceMessages } from './message-tracing.js';
import { queryTracing } from './query-tracing.js';
import { logEndpoint } from './log-endpoint.js';
import { LogStore } from './log-store.js';
import { observeResponseBodies } from './payload-capture.js';
import { capturesPayloads, skipPredicate, tracerOptions } from './plugin-options.js';
import { tracerProbe } from './probe.js';
import { middleware } from './trace-middleware.js';
import type { Tracer } from './tracer.js';

export { traceOf } from './active-trace.js';
export { spanRecorder } from './child-spans.js';
export { TRACER_ERRORS } from './errors.js';
export { traceCalls } from './call-tracing.js';
export { traceEvents } from './event-tracing.js';
export { extract } from './extract.js';
export { traceMessages } from './message-tracing.js';
export { TRACER_DEFAULTS, type TracerConfig } from './options.js';
export { propagateFromHTTP, type OutgoingRequest } from './propagate.js';
export { queryTracing } from './query-tracing.js';
export { scrubbedJson } from '../recorded/index.js';
export { ActiveSpan, inject, startSpan, type RootSpanOptions, type SpanOptions } from './start-span.js';
export { recordedTraceIDOf, tag, traceIDOf } from './tag.js';
export { traceInterceptor } from './trace-interceptor.js';
export { middleware, type MiddlewareOptions } from './trace-middleware.js';
export { formatTraceparent, parseTraceparent } from './traceparent.js';
export { tracedFetch, type TracedFetchOptions } from './traced-fetch.js';
export { newTracer, Tracer, type TracerCounters } from './tracer.js';

/** The application's tracer. */
export const FleetTracer = token<Tracer>('fw.FleetTracer');

export default definePlugin({
  id: 'fleet/tracer',
  category: 'fleet',
  description: 'Traces requests across services and exports spans to a Fleet aggregator',
  options: tracerOptions,
  needs: ['http'],
  optionalNeeds: ['fleet/aggregator'],
  provides: [FleetTracer, SpanRecorder],
  requestContext: ({ enabled, logStamping }) => enabled && logStamping,
  order: {
    before: [
      'dashboard',
      'middleware/recovery',
      'middleware/logging',
      'middleware/rate-limit',
      'middleware/locale',
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
      'middleware/compression',
    ],
    because: 'its span covers everything that a request goes through',
  },
  register({ options, bind, contribute, probe }) {
    const logs = new LogStore();
    let made: Tracer | undefined;
    bind(FleetTracer, (resolve) => {
      if (options.enabled && options.logStamping) logs.follow(resolve.get(LogTap));
      return (made = appTracer(options, resolve));
    });
    bind(SpanRecorder, (resolve) => spanRecorder(resolve.get(FleetTracer)));
    if (options.enabled && options.serviceToken !== '') {
      const handle = logEndpoint(logs, options.logsPath, options.serviceToken);
      contribute(HttpMiddleware, () => ({ name: 'fleet-logs', handle }));
    }
    contribute(HttpMiddleware, (resolve) => ({
      name: 'fleet-tracer',
      handle: middleware(resolve.get(FleetTracer), { skip: skipPredicate(options) }),
      seesRefused: true,
    }));
    // Statements find their request through the ambient context.
    if (options.enabled && options.logStamping) {
      contribute(QueryObserver, (resolve) => queryTracing(resolve.get(SpanRecorder)));
    }
    probe(
      'fleet',
      tracerProbe(() => made, logs),
    );
  },
  start(services) {
    const { enabled, logStamping } = services.options;
    if (!enabled) return;
    const { profile } = services.get(AppInfo);
    if (capturesPayloads(services.options, profile)) observeResponseBodies(services.get(HttpServer).koa);
    const bus = services.getOptional(EventBus);
    if (bus && logStamping) traceEvents(bus, services.get(SpanRecorder));
    const tracer = services.get(FleetTracer);
    const backend = services.getOptional(EventBackend);
    if (backend && logStamping) tracer.onClose(traceMessages(backend, tracer));
  },
  ready(services) {
    services.get(FleetTracer).start();
  },
  async stop(services) {
    await services.get(FleetTracer).close();
  },
});
