import { type Static, Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live } from './live-service.js';
import { nPlusOnes, readRoutes, type RouteFacts, slowestOf } from './route-facts.js';
import { SERVICE_TEXTS, ServiceInput, serviceOf } from './service-input.js';

const SLOWEST = 5;
/** An application that has just become busy has a few more sockets and timers than before. */
const FEW_RESOURCES = 50;

const Current = Type.Object({
  event_loop: Type.Object({ lag_p50_ms: Type.Number(), lag_p99_ms: Type.Number(), utilization: Type.Number() }),
  active_resources: Type.Number(),
  heap: Type.Object({ used: Type.Number(), total: Type.Number(), limit: Type.Number() }),
  rss: Type.Number(),
  external: Type.Number(),
  gc: Type.Object({ count: Type.Number(), pause_total_ms: Type.Number(), cpu_fraction: Type.Number() }),
  cpu: Type.Object({ num_cpu: Type.Number(), usage_pct: Type.Number() }),
  runtime_tuning: Type.Object({ max_old_space_mb: Type.Number() }),
});
const Point = Type.Object({ active_resources: Type.Number(), heap_used: Type.Number(), gc_count: Type.Number() });
const Stall = Type.Object({ time: Type.String(), lag_ms: Type.Number(), requests: Type.Array(Type.String()) });
const Performance = Type.Object({
  current: Current,
  history: Type.Array(Point),
  // Missing in answers of older versions.
  stalls: Type.Optional(Type.Array(Stall)),
});

const input = Type.Object(ServiceInput);
const output = Type.Object({
  service_url: Type.String(),
  current: Current,
  history_points: Type.Integer(),
  observations: Type.Array(Type.String(), { description: 'what else is out of the ordinary' }),
  slowest: Type.Array(
    Type.Object({
      route: Type.String(),
      max_ms: Type.Number(),
      statements: Type.Optional(Type.Number({ description: 'most in one request' })),
      slowest_statement: Type.Optional(Type.String()),
    }),
  ),
});

export const fwGetPerformance = defineTool({
  name: 'fw_get_performance',
  description: 'What slows a running app: event loop, heap, GC, CPU, slow routes and statements, N+1.',
  input,
  output,
  texts: SERVICE_TEXTS,
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const service = await serviceOf(given, context);
    const [found, routes] = await Promise.all([
      service.read({ endpoint: 'performance', what: 'performance', schema: Performance }),
      readRoutes(service),
    ]);
    const observations = [...stallsOf(found), ...nPlusOnes(routes).slice(0, 3), ...observe(found)];
    return {
      summary: observations[0] ?? 'nothing out of the ordinary',
      structured: {
        service_url: service.base,
        current: found.current,
        history_points: found.history.length,
        observations: observations.slice(1),
        slowest: slowestRoutes(routes),
      },
    };
  }),
});

function stallsOf({ stalls = [] }: Static<typeof Performance>): string[] {
  return stalls.slice(0, 2).map(({ time, lag_ms: ms, requests }) => {
    const suspects =
      requests.length === 0
        ? ''
        : ` Requests at work then: ${requests.join('; ')}. Look there for synchronous work (fw_check_idioms finds *Sync calls).`;
    return `The event loop stood still for ${ms} ms before ${time}.${suspects}`;
  });
}

function slowestRoutes(routes: readonly RouteFacts[]) {
  return routes
    .filter(({ requests }) => requests > 0)
    .sort((one, other) => other.max_latency_ms - one.max_latency_ms)
    .slice(0, SLOWEST)
    .map((route) => {
      const slowest = slowestOf(route);
      return {
        route: `${route.method} ${route.pattern}`,
        max_ms: route.max_latency_ms,
        ...(route.statements && { statements: route.statements.most }),
        ...(slowest !== undefined && { slowest_statement: slowest }),
      };
    });
}

/** Sentences about numbers beyond the limits of an operator's attention. */
export function observe({ current, history }: Static<typeof Performance>): string[] {
  const { event_loop, heap, gc, active_resources } = current;
  const first = history[0];
  const grown =
    first !== undefined &&
    history.length >= 2 &&
    active_resources > 2 * first.active_resources &&
    active_resources > FEW_RESOURCES;
  return [
    ...(event_loop.lag_p99_ms > 100
      ? [`The event loop lags ${Math.round(event_loop.lag_p99_ms)} ms at p99 (over 100): something blocks it.`]
      : []),
    ...(gc.cpu_fraction > 0.1 ? [`Garbage collection takes ${percent(gc.cpu_fraction)} of the time (over 10 %).`] : []),
    ...(heap.used > 0.9 * heap.limit
      ? [`The heap is at ${percent(heap.used / heap.limit)} of its limit (over 90 %).`]
      : []),
    ...(grown
      ? [`Active resources grew from ${first.active_resources} to ${active_resources}: a leak of handles?`]
      : []),
  ];
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
