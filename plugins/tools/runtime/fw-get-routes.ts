import { type Static, Type } from 'typebox';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { pageOf } from '../../../kernel/index.js';
import { Integer, Numeric, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { liveTool } from './live-service.js';
import { nPlusOnes, readRoutes, type RouteFacts, slowestOf } from './route-facts.js';
import { ServiceInput, serviceOf } from './service-input.js';

const Shown = Type.Object({
  method: Text,
  pattern: Text,
  requests: Numeric,
  errors: Type.Number({ description: 'with 5xx' }),
  avg_latency_ms: Numeric,
  max_latency_ms: Numeric,
  statements: optional(Type.Number({ description: 'of the database, in each request on average' })),
  roles: optional(Type.Array(Text, { description: 'roles of which a caller needs one; empty: any valid credentials' })),
  public: optional(Type.Boolean({ description: 'anybody may call it, whatever its group says' })),
  summary: optional(Text),
  controller: optionalText('handler and its module'),
  last_request: optional(Text),
  slowest_statement: optional(Text),
  description: optional(Text),
  tags: optional(Texts),
});

const input = Type.Object({
  ...ServiceInput,
  route: optionalText('text that method and pattern contain'),
  limit: optional(Type.Integer({ minimum: 1 })),
  detail: optional(YesNo),
});
const output = Type.Object({
  service_url: Text,
  total: Integer,
  exercised: Type.Integer({ description: 'routes with at least one request' }),
  unused: Integer,
  with_errors: Integer,
  documented: Integer,
  middleware: Type.Array(Text, { description: 'around every route, outermost first' }),
  findings: Type.Array(Text, { description: 'repeated statements (N+1)' }),
  routes: Type.Array(Shown, { description: 'slowest average first' }),
  notes: Texts,
});

export const fwGetRoutes = liveTool({
  name: 'fw_get_routes',
  description: 'Live routes of a running app: requests, errors, latency, statements, N+1.',
  input,
  output,
  texts: ['route'],
  run: async (given, context) => {
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
      middleware: all[0]?.middleware ?? [],
      findings: findings.slice(0, 3),
      routes: page.shown,
      notes: [...page.notes, ...notesOn(all.length, exercised, documented)],
    };
    const counts = `${all.length} routes, ${exercised} exercised, ${structured.with_errors} with errors`;
    return { summary: findings.length > 0 ? `${counts}, ${findings.length} with N+1` : counts, structured };
  },
});

// Leaves out values that repeat in every row or are the default.
function shown(detail: boolean): (route: RouteFacts) => ToolData<Static<typeof Shown>> {
  return (route) => {
    const { method, pattern, requests, errors, avg_latency_ms, max_latency_ms, statements, roles, summary } = route;
    const { controller, last_request, description, tags } = route;
    return {
      method,
      pattern,
      requests,
      errors,
      avg_latency_ms,
      max_latency_ms,
      statements: statements?.average,
      roles,
      public: route.public || undefined,
      summary,
      ...(detail && {
        controller,
        last_request: last_request ?? undefined,
        slowest_statement: slowestOf(route),
        description,
        tags,
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
