import type { HttpServer, RouteInfo } from '../../../kernel/index.js';
import { roundedMs } from '../record/latencies.js';
import type { RequestRecorder, RouteTraffic } from '../record/request-recorder.js';
import type { RouteStatistics } from '../wire/api.js';

/** Every route but the dashboard's own, in the order of registration, with what is known of its traffic. */
export function routeStatistics(server: HttpServer, recorder: RequestRecorder, basePath: string): RouteStatistics[] {
  const middleware = server.middlewares();
  return server
    .routes()
    .filter(({ path }) => path !== basePath && !path.startsWith(`${basePath}/`))
    .map((route) => statisticsOf(route, recorder.trafficOf(route), middleware));
}

function statisticsOf(
  route: RouteInfo,
  traffic: RouteTraffic | undefined,
  middleware: readonly string[],
): RouteStatistics {
  const { method, path, handler, module, title, description, tags, blocking, websocket, roles } = route;
  return {
    method,
    pattern: path,
    controller: `${module}.${handler}`,
    middleware,
    requests: traffic?.requests ?? 0,
    avg_latency_ms: traffic ? roundedMs(traffic.totalMs / traffic.requests) : 0,
    p95_latency_ms: roundedMs(traffic?.latencies.percentile(95) ?? 0),
    max_latency_ms: roundedMs(traffic?.maxMs ?? 0),
    last_request: traffic ? new Date(traffic.lastAt).toISOString() : null,
    errors: traffic?.errors ?? 0,
    blocking,
    ...(websocket && { websocket }),
    ...(roles && { roles }),
    ...(route.public && { public: route.public }),
    ...(title !== '' && { summary: title }),
    ...(description !== '' && { description }),
    ...(tags.length > 0 && { tags }),
    documented: title !== '',
  };
}
