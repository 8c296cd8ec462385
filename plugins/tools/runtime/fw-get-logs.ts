import { type Static, Type } from 'typebox';
import { brief, pageOf } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool } from './live-service.js';
import { ServiceInput, serviceOf } from './service-input.js';

const LogEntry = Type.Object({
  time: Text,
  level: Text,
  message: Text,
  source: optional(Text),
  trace_id: optional(Text),
});

const SHOWN_CHARACTERS = 300;

const input = Type.Object({
  ...ServiceInput,
  level: optional(
    Type.Enum(['app', 'http', 'error', 'panic', 'warning', 'all'], { description: 'default app; error has panics' }),
  ),
  query: optionalText('text to contain'),
  trace_id: optional(Text),
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  detail: optional(Type.Boolean({ description: 'whole lines' })),
});
type Level = NonNullable<Static<typeof input>['level']>;
const output = Type.Object({
  service_url: Text,
  level: Text,
  query: optional(Text),
  trace_id: optional(Text),
  count: Integer,
  entries: Type.Array(LogEntry, { description: 'newest first' }),
  notes: Texts,
});

export const fwGetLogs = liveTool({
  name: 'fw_get_logs',
  description: 'Live log lines of a running app, by level, text or trace id.',
  input,
  output,
  texts: ['query', 'trace_id'],
  run: async (given, context) => {
    const { query, trace_id, limit, detail = false } = given;
    const service = await serviceOf(given, context);
    const read = (each: string) =>
      service.read({
        endpoint: 'logs',
        query: { level: each, limit, q: query, trace_id },
        what: 'logs',
        schema: Type.Array(LogEntry),
      });
    // A search for errors includes panics.
    const linesOf = async (each: Level) =>
      (await Promise.all((each === 'error' ? ['error', 'panic'] : [each]).map(read))).flat();
    const first = await linesOf(given.level ?? 'app');
    // Who looks for a text or a trace does not know at which level it stands.
    const isWider = first.length === 0 && given.level === undefined && Boolean(query || trace_id);
    const level = isWider ? 'all' : (given.level ?? 'app');
    const lines = isWider ? await linesOf('all') : first;
    const newest = lines.sort((one, other) => other.time.localeCompare(one.time)).slice(0, limit);
    const page = pageOf(detail ? newest : newest.map(shortened), limit, 'pass limit, query or trace_id');
    const structured = {
      service_url: service.base,
      level,
      query,
      trace_id,
      count: page.shown.length,
      entries: page.shown,
      notes: newest.length === 0 ? [whyEmpty({ ...given, level })] : page.notes,
    };
    return { summary: `${page.shown.length} line(s) of level ${level}, newest first`, structured };
  },
});

function shortened(entry: Static<typeof LogEntry>): Static<typeof LogEntry> {
  return { ...entry, message: brief(entry.message, SHOWN_CHARACTERS) };
}

function whyEmpty({ trace_id, query, level }: Static<typeof input>): string {
  if (trace_id) return 'No line carries this trace id: it aged out, belongs to another service, or tracing is off.';
  if (query) return `No line contains this text${level === 'all' ? '' : ' at this level; try level all'}.`;
  return `Nothing was logged at level ${level} yet; levels: app, http, error (with panics), panic, warning, all.`;
}
