import { type Static, Type } from 'typebox';
import { brief, defineTool, pageOf } from '../../../kernel/index.js';
import { live } from './live-service.js';
import { SERVICE_TEXTS, ServiceInput, serviceOf } from './service-input.js';

const LogEntry = Type.Object({
  time: Type.String(),
  level: Type.String(),
  message: Type.String(),
  source: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
});

const SHOWN_CHARACTERS = 300;

const input = Type.Object({
  ...ServiceInput,
  level: Type.Optional(
    Type.Enum(['app', 'http', 'error', 'panic', 'warning', 'all'], { description: 'default app; error has panics' }),
  ),
  query: Type.Optional(Type.String({ description: 'text to contain' })),
  trace_id: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  detail: Type.Optional(Type.Boolean({ description: 'whole lines' })),
});
const output = Type.Object({
  service_url: Type.String(),
  level: Type.String(),
  query: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
  count: Type.Integer(),
  entries: Type.Array(LogEntry, { description: 'newest first' }),
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
    const { level = 'app', query, trace_id, limit, detail = false } = given;
    const service = await serviceOf(given, context);
    const read = (each: string) =>
      service.read({
        endpoint: 'logs',
        query: { level: each, limit, q: query, trace_id },
        what: 'logs',
        schema: Type.Array(LogEntry),
      });
    // A search for errors includes panics.
    const lines = (await Promise.all((level === 'error' ? ['error', 'panic'] : [level]).map(read))).flat();
    const newest = lines.sort((one, other) => other.time.localeCompare(one.time)).slice(0, limit);
    const page = pageOf(detail ? newest : newest.map(shortened), limit, 'pass limit, query or trace_id');
    const structured = {
      service_url: service.base,
      level,
      ...(query !== undefined && { query }),
      ...(trace_id !== undefined && { trace_id }),
      count: page.shown.length,
      entries: page.shown,
      notes: newest.length === 0 ? [whyEmpty(given)] : [...page.notes],
    };
    return { summary: `${page.shown.length} line(s) of level ${level}, newest first`, structured };
  }),
});

function shortened(entry: Static<typeof LogEntry>): Static<typeof LogEntry> {
  return { ...entry, message: brief(entry.message, SHOWN_CHARACTERS) };
}

function whyEmpty({ trace_id, query, level }: Static<typeof input>): string {
  if (trace_id) return 'No line carries this trace id: it aged out, belongs to another service, or tracing is off.';
  if (query) return 'No line contains this text at this level; try level all.';
  return `Nothing was logged at level ${level ?? 'app'} yet; levels: app, http, error (with panics), panic, warning, all.`;
}
