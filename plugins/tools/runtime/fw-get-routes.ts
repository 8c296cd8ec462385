import { type Static, Type } from 'typebox';
import { defineTool, pageOf } from '../../../kernel/index.js';
import { live } from './live-service.js';
import { nPlusOnes, readRoutes, type RouteFacts, slowestOf } from './route-facts.js';
import { SERVICE_TEXTS, ServiceInput, serviceOf } from './service-input.js';

const Shown = Type.Object({
  method: Type.String(),
  pattern: Type.String(),
  requests: Type.Number(),
  errors: Type.Number({ description: 'with 5xx' }),
  avg_latency_ms: Type.Number(),
  max_latency_ms: Type.Number(),
  statements: Type.Optional(Type.Number({ description: 'of the database, in each request on average' })),
  roles: Type.Optional(
    Type.Array(Type.String(), { description: 'roles of which a caller needs one; empty: any valid credentials' }),
  ),
  public: Type.Optional(Type.Boolean({ description: 'anybody may call it, whatever its group says' })),
  summary: Type.Optional(Type.String()),
  controller: Type.Optional(Type.String({ description: 'handler and its module' })),
  last_request: Type.Optional(Type.String()),
  slowest_statement: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
});

const input = Type.Object({
  ...ServiceInput,
  route: Type.Optional(Type.String({ description: 'text that method and pattern contain' })),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  detail: Type.Optional(Type.Boolean()),
});
const output = Type.Object({
  service_url: Type.String(),
  total: Type.Integer(),
  exercised: Type.Integer({ description: 'routes with at least one request' }),
  unused: Type.Integer(),
  with_errors: Type.Integer(),
  documented: Type.Integer(),
  middleware: Type.Array(Type.String(), { description: 'around every route, outermost first' }),
  findings: Type.Array(Type.String(), { description: 'repeated statements (N+1)' }),
  routes: Type.Array(Shown, { description: 'slowest average first' }),
  notes: Type.Array(Type.String()),
});

export const fwGetRoutes = defineTool({
  name: 'fw_get_routes',
  description: 'Live routes of a running app: requests, errors, latency, statements, N+1.',
  input,
  output,
  texts: [...SERVICE_TEXTS, 'route'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const service = await serviceOf(given, context);
    const all = await readRoutes(service);
    const exercised = all.filter(({ requests }) => requests > 0).length;
    const documented = all.filter((route) => route.documented).length;
    const fitting = all.filter(
      ({ method, pattern }) => !given.route || `${method} ${pattern}`.includes(given.route.trim()),
    );
    const sorted = fitting.sort((a, b) => b.avg_latency_ms - a.avg_latency_ms || b.requests - a.requests);
    const detail = given.detail ?? (given.route !== undefined && sorted.length === 1);
    const page = pageOf(sorted.map(shown(detail)), given.limit, 'pass route or limit');
    const findings = nPlusOnes(fitting);
    const structured = {
      service_url: service.base,
      total: all.length,
      exercised,
      unused: all.length - exercised,
      with_errors: all.filter(({ errors }) => errors > 0).length,
      documented,
      middleware: [...(all[0]?.middleware ?? [])],
      findings: findings.slice(0, 3),
      routes: page.shown,
      notes: [...page.notes, ...notesOn(all.length, exercised, documented)],
    };
    const counts = `${all.length} routes, ${exercised} exercised, ${structured.with_errors} with errors`;
    return { summary: findings.length > 0 ? `${counts}, ${findings.length} with N+1` : counts, structured };
  }),
});

// Leaves out values that repeat in every row or are the default.
function shown(detail: boolean): (route: RouteFacts) => Static<typeof Shown> {
  return (route) => {
    const { method, pattern, requests, errors, avg_latency_ms, max_latency_ms, statements, roles, summary } = route;
    const { controller, last_request, description, tags } = route;
    const slowest = slowestOf(route);
    return {
      method,
      pattern,
      requests,
      errors,
      avg_latency_ms,
      max_latency_ms,
      ...(statements && { statements: statements.average }),
      ...(roles && { roles }),
      ...(route.public && { public: route.public }),
      ...(summary !== undefined && { summary }),
      ...(detail && {
        controller,
        ...(last_request !== null && { last_request }),
        ...(slowest !== undefined && { slowest_statement: slowest }),
        ...(description !== undefined && { description }),
        ...(tags && { tags }),
      }),
    };
  };
}

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
