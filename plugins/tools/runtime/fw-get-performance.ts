import { type Static, Type } from 'typebox';
import { Integer, Numeric, optional, Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool } from './live-service.js';
import { nPlusOnes, readRoutes, type RouteFacts, slowestOf } from './route-facts.js';
import { ServiceInput, serviceOf } from './service-input.js';

const SLOWEST = 5;
/** An application that has just become busy has a few more sockets and timers than before. */
const FEW_RESOURCES = 50;

const Current = Type.Object({
  event_loop: Type.Object({ lag_p50_ms: Numeric, lag_p99_ms: Numeric, utilization: Numeric }),
  active_resources: Numeric,
  heap: Type.Object({ used: Numeric, total: Numeric, limit: Numeric }),
  rss: Numeric,
  external: Numeric,
  gc: Type.Object({ count: Numeric, pause_total_ms: Numeric, cpu_fraction: Numeric }),
  cpu: Type.Object({ num_cpu: Numeric, usage_pct: Numeric }),
  runtime_tuning: Type.Object({ max_old_space_mb: Numeric }),
});
const Point = Type.Object({ active_resources: Numeric, heap_used: Numeric, gc_count: Numeric });
const Stall = Type.Object({ time: Text, lag_ms: Numeric, requests: Texts });
const Performance = Type.Object({
  current: Current,
  history: Type.Array(Point),
  // Missing in answers of older versions.
  stalls: optional(Type.Array(Stall)),
});

const input = Type.Object(ServiceInput);
const output = Type.Object({
  service_url: Text,
  current: Current,
  history_points: Integer,
  observations: Type.Array(Text, { description: 'what else is out of the ordinary' }),
  slowest: Type.Array(
    Type.Object({
      route: Text,
      max_ms: Numeric,
      statements: optional(Type.Number({ description: 'most in one request' })),
      slowest_statement: optional(Text),
    }),
  ),
});

export const fwGetPerformance = liveTool({
  name: 'fw_get_performance',
  description: 'What slows a running app: event loop, heap, GC, CPU, slow routes and statements, N+1.',
  input,
  output,
  run: async (given, context) => {
    const service = await serviceOf(given, context);
    const [found, routes] = await Promise.all([
      service.read({ endpoint: 'performance', what: 'performance', schema: Performance }),
      readRoutes(service),
    ]);
    const observations = observationsOf(found, routes);
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
  },
});

/** What is out of the ordinary, first what slows requests: most applications stand still for a moment when they start. */
export function observationsOf(found: Static<typeof Performance>, routes: readonly RouteFacts[]): string[] {
  const { stalls = [] } = found;
  const shown = stalls.slice(0, 2);
  return [
    ...shown.filter(({ requests }) => requests.length > 0).map(inWords),
    ...nPlusOnes(routes).slice(0, 3),
    ...shown.filter(({ requests }) => requests.length === 0).map(inWords),
    ...observe(found),
  ];
}

type Stall = NonNullable<Static<typeof Performance>['stalls']>[number];

function inWords({ time, lag_ms: ms, requests }: Stall): string {
  const suspects =
    requests.length === 0
      ? ''
      : ` Requests at work then: ${requests.join('; ')}. Look there for synchronous work (fw_check_idioms finds *Sync calls).`;
  return `The event loop stood still for ${ms} ms before ${time}.${suspects}`;
}

function slowestRoutes(routes: readonly RouteFacts[]) {
  return routes
    .filter(({ requests }) => requests > 0)
    .sort((one, other) => other.max_latency_ms - one.max_latency_ms)
    .slice(0, SLOWEST)
    .map((route) => ({
      route: `${route.method} ${route.pattern}`,
      max_ms: route.max_latency_ms,
      statements: route.statements?.most,
      slowest_statement: slowestOf(route),
    }));
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
