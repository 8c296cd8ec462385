import { type Static, Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live, readLive } from './live-service.js';
import { dashboardEndpoint, SERVICE_TEXTS, ServiceInput } from './service-input.js';

const LogEntry = Type.Object({
  time: Type.String(),
  level: Type.String(),
  message: Type.String(),
  source: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
});

const input = Type.Object({
  ...ServiceInput,
  level: Type.Optional(Type.Enum(['app', 'http', 'error', 'panic', 'warning'], { description: 'default app' })),
  query: Type.Optional(Type.String({ description: 'text to contain' })),
  trace_id: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
const output = Type.Object({
  service_url: Type.String(),
  level: Type.String(),
  query: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
  count: Type.Integer(),
  entries: Type.Array(LogEntry),
  notes: Type.Array(Type.String()),
});

export const fwGetLogs = defineTool({
  name: 'fw_get_logs',
  description: 'Live log lines of a running app, by level, text or trace id.',
  input,
  output,
  texts: [...SERVICE_TEXTS, 'query', 'trace_id'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const { level = 'app', query, trace_id, limit } = given;
    const endpoint = dashboardEndpoint(given, 'logs', { level, limit, q: query, trace_id });
    const entries = await readLive({ ...endpoint, what: 'logs', schema: Type.Array(LogEntry) }, context);
    const structured = {
      service_url: endpoint.base,
      level,
      ...(query !== undefined && { query }),
      ...(trace_id !== undefined && { trace_id }),
      count: entries.length,
      entries,
      notes: entries.length === 0 ? [whyEmpty(given)] : [],
    };
    return { summary: `${entries.length} line(s) of level ${level}`, structured };
  }),
});

function whyEmpty({ trace_id, query, level }: Static<typeof input>): string {
  if (trace_id) return 'No line carries this trace id: it aged out, belongs to another service, or tracing is off.';
  if (query) return 'No line contains this text at this level; try another level.';
  return `Nothing was logged at level ${level ?? 'app'} yet; levels: app, http, error, panic, warning.`;
}
