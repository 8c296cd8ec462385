import { Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live, readLive } from './live-service.js';
import { dashboardEndpoint, SERVICE_TEXTS, ServiceInput } from './service-input.js';

const RouteStatistics = Type.Object({
  method: Type.String(),
  pattern: Type.String(),
  controller: Type.String(),
  middleware: Type.Array(Type.String()),
  requests: Type.Number(),
  avg_latency_ms: Type.Number(),
  max_latency_ms: Type.Number(),
  last_request: Type.Union([Type.String(), Type.Null()]),
  errors: Type.Number(),
  roles: Type.Optional(
    Type.Array(Type.String(), { description: 'roles of which a caller needs one; empty: any valid credentials' }),
  ),
  public: Type.Optional(Type.Boolean({ description: 'anybody may call it, whatever its group says' })),
  summary: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  documented: Type.Boolean(),
});

const input = Type.Object(ServiceInput);
const output = Type.Object({
  service_url: Type.String(),
  total: Type.Integer(),
  exercised: Type.Integer({ description: 'routes with at least one request' }),
  unused: Type.Integer(),
  with_errors: Type.Integer(),
  documented: Type.Integer(),
  routes: Type.Array(RouteStatistics, { description: 'slowest average first' }),
  notes: Type.Array(Type.String()),
});

export const fwGetRoutes = defineTool({
  name: 'fw_get_routes',
  description: 'Live routes of a running app with request counts, latency and errors.',
  input,
  output,
  texts: SERVICE_TEXTS,
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const endpoint = dashboardEndpoint(given, 'routes');
    const found = await readLive({ ...endpoint, what: 'routes', schema: Type.Array(RouteStatistics) }, context);
    const routes = [...found].sort((a, b) => b.avg_latency_ms - a.avg_latency_ms);
    const exercised = routes.filter(({ requests }) => requests > 0).length;
    const documented = routes.filter((route) => route.documented).length;
    const structured = {
      service_url: endpoint.base,
      total: routes.length,
      exercised,
      unused: routes.length - exercised,
      with_errors: routes.filter(({ errors }) => errors > 0).length,
      documented,
      routes,
      notes: notesOn(routes.length, exercised, documented),
    };
    return {
      summary: `${routes.length} routes, ${exercised} exercised, ${structured.with_errors} with errors`,
      structured,
    };
  }),
});

function notesOn(total: number, exercised: number, documented: number): string[] {
  return [
    ...(total > 0 && exercised === 0
      ? ['No route was requested since the service started; zeros are not evidence.']
      : []),
    ...(documented < total
      ? [`${total - documented} of ${total} routes carry no documentation and are missing from the OpenAPI document.`]
      : []),
  ];
}
