import { type Static, Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live, readLive } from './live-service.js';
import { dashboardEndpoint, SERVICE_TEXTS, ServiceInput } from './service-input.js';

const RequestRecord = Type.Object({
  id: Type.String(),
  time: Type.String(),
  method: Type.String(),
  path: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  duration_ms: Type.Number(),
  ip: Type.String(),
  user: Type.String(),
  error: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
});
type RequestRecord = Static<typeof RequestRecord>;

const input = Type.Object({
  ...ServiceInput,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'requests to scan' })),
});
const output = Type.Object({
  service_url: Type.String(),
  requests_scanned: Type.Integer(),
  count: Type.Integer(),
  server_errors: Type.Integer(),
  client_errors: Type.Integer(),
  by_route: Type.Record(Type.String(), Type.Integer()),
  errors: Type.Array(RequestRecord),
  notes: Type.Array(Type.String()),
});

export const fwGetRecentErrors = defineTool({
  name: 'fw_get_recent_errors',
  description: 'Recent failed requests of a running app, grouped by route.',
  input,
  output,
  texts: SERVICE_TEXTS,
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const endpoint = dashboardEndpoint(given, 'requests', { limit: given.limit });
    const scanned = await readLive({ ...endpoint, what: 'requests', schema: Type.Array(RequestRecord) }, context);
    const errors = scanned.filter(({ status, error }) => status >= 400 || (error ?? '') !== '').map(shown);
    const serverErrors = errors.filter(({ status }) => status >= 500).length;
    const structured = {
      service_url: endpoint.base,
      requests_scanned: scanned.length,
      count: errors.length,
      server_errors: serverErrors,
      client_errors: errors.filter(({ status }) => status >= 400 && status < 500).length,
      by_route: countByRoute(errors),
      errors,
      notes: scanned.length === 0 ? ['Nothing is recorded yet; that is not evidence of health.'] : [],
    };
    return {
      summary: `${errors.length} failed of ${scanned.length} recorded requests, ${serverErrors} with 5xx`,
      structured,
    };
  }),
});

function shown({ id, time, method, path, route, status, duration_ms, ip, user, error, trace_id }: RequestRecord) {
  const optional = { ...(error !== undefined && { error }), ...(trace_id !== undefined && { trace_id }) };
  return { id, time, method, path, route, status, duration_ms, ip, user, ...optional };
}

function countByRoute(errors: readonly RequestRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, route, path } of errors) {
    const key = route === '' ? `${method} ${path} (no route matched)` : `${method} ${route}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
