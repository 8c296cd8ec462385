import type { ModelFacts, RouteInfo } from '../../../kernel/index.js';
import type { Dashboard } from '../dashboard.js';
import { roundedMs } from '../record/latencies.js';
import type { RouteTraffic, StatementTraffic } from '../record/request-recorder.js';
import type { RepeatedStatement, RouteStatements, RouteStatistics } from '../wire/api.js';

/** Every route but the dashboard's own, in the order of registration, with its traffic. */
export function routeStatistics({ server, recorder, models }: Dashboard): RouteStatistics[] {
  const middleware = server().middlewares();
  const known = models();
  return server()
    .routes()
    .filter(({ path }) => !recorder.isOwn(path))
    .map((route) => statisticsOf(route, recorder.trafficOf(route), middleware, known));
}

function statisticsOf(
  route: RouteInfo,
  traffic: RouteTraffic | undefined,
  middleware: readonly string[],
  models: readonly ModelFacts[],
): RouteStatistics {
  const { method, path, handler, module, title, description, tags, blocking, websocket, roles } = route;
  const statements = traffic && statementsOf(traffic.statements, models);
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
    ...(statements && { statements }),
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

function statementsOf(traffic: StatementTraffic, models: readonly ModelFacts[]): RouteStatements | undefined {
  const { requests, total, most, slowest, repeated } = traffic;
  if (requests === 0 || slowest === undefined) return undefined;
  return {
    average: Math.round((total / requests) * 10) / 10,
    most,
    slowest: { sql: slowest.sql, ms: roundedMs(slowest.ms) },
    ...(repeated && { repeated: repeatedOf(repeated, models) }),
  };
}

function repeatedOf(
  { sql, times, totalMs, model, after }: NonNullable<StatementTraffic['repeated']>,
  models: readonly ModelFacts[],
): RepeatedStatement {
  const relation = model === undefined ? undefined : relationTo(model, after, models);
  return {
    sql,
    times,
    total_ms: roundedMs(totalMs),
    ...(model !== undefined && { model }),
    ...(relation !== undefined && { relation }),
  };
}

// The relation that a repeated statement loads: one from a model that the request has read before.
function relationTo(model: string, after: readonly string[], models: readonly ModelFacts[]): string | undefined {
  const owners = [...after].reverse().flatMap((name) => models.filter((each) => each.name === name));
  const found = owners.flatMap(({ name, fields }) =>
    fields
      .filter(({ references, column }) => references === model && column === undefined)
      .map(({ name: property }) => `${name}.${property}`),
  );
  return found[0];
}
