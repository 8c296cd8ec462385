import { type Static, Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live, readLive } from './live-service.js';
import { dashboardEndpoint, SERVICE_TEXTS, ServiceInput } from './service-input.js';

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
const Performance = Type.Object({ current: Current, history: Type.Array(Point) });

const input = Type.Object(ServiceInput);
const output = Type.Object({
  service_url: Type.String(),
  current: Current,
  history_points: Type.Integer(),
  observations: Type.Array(Type.String(), { description: 'what is out of the ordinary; empty when nothing is' }),
});

export const fwGetPerformance = defineTool({
  name: 'fw_get_performance',
  description: 'Live event loop, heap, GC and CPU metrics of a running app, with observations.',
  input,
  output,
  texts: SERVICE_TEXTS,
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const endpoint = dashboardEndpoint(given, 'performance');
    const found = await readLive({ ...endpoint, what: 'performance', schema: Performance }, context);
    const observations = observe(found);
    return {
      summary: observations[0] ?? 'nothing out of the ordinary',
      structured: {
        service_url: endpoint.base,
        current: found.current,
        history_points: found.history.length,
        observations,
      },
    };
  }),
});

/** What an operator would point at: the limits beyond which a number means trouble. */
export function observe({ current, history }: Static<typeof Performance>): string[] {
  const { event_loop, heap, gc, active_resources } = current;
  const first = history[0];
  const grown = first !== undefined && history.length >= 2 && active_resources > 2 * first.active_resources;
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
