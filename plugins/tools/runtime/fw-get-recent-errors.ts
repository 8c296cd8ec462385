import { type Static, Type } from 'typebox';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { brief, pageOf } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool } from './live-service.js';
import { type Service, ServiceInput, serviceOf } from './service-input.js';

const SHOWN_MESSAGE = 300;
const SHOWN_SQL = 200;
const SHOWN_FRAMES = 4;
const REFUSALS = 8;

const Request = Type.Object({
  id: Text,
  time: Text,
  method: Text,
  path: Text,
  route: Text,
  status: Integer,
  trace_id: optional(Text),
});
const RequestRecord = Type.Object({ ...Request.properties, error: optional(Text) });
type RequestRecord = Static<typeof RequestRecord>;

// Members that a service of an older version does not report are optional.
const ErrorGroup = Type.Object({
  name: Text,
  message: Text,
  source: Text,
  place: Text,
  count: Integer,
  last_seen: Text,
  stack: Text,
  at: optional(Text),
  frames: optional(Texts),
  sample: optional(Request),
  handler: optional(Text),
  routes: optional(Texts),
  last_statement: optional(Text),
});
type ErrorGroup = Static<typeof ErrorGroup>;
const FailedResponses = Type.Object({
  method: Text,
  route: Text,
  status: Integer,
  count: Integer,
  last_seen: Text,
  last_path: optional(Text),
  reason: optional(Text),
  at: optional(Text),
  statement: optional(Text),
});
type FailedResponses = Static<typeof FailedResponses>;
const Errors = Type.Object({ exceptions: Type.Array(ErrorGroup), responses: Type.Array(FailedResponses) });

const input = Type.Object({
  ...ServiceInput,
  route: optionalText('text that route or path contains'),
  status: optionalText('500, 4xx, 5xx'),
  since: optionalText('ISO time'),
  limit: optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'requests to scan' })),
  detail: optional(Type.Boolean({ description: 'whole stacks' })),
});
const Cause = Type.Object({
  exception: Text,
  message: Text,
  at: Type.String({ description: "top line of the app's own source" }),
  count: Integer,
  last_seen: Text,
  routes: Texts,
  sample: optionalText('newest failed request'),
  trace_id: optional(Text),
  last_statement: optional(Text),
  called_from: Type.Array(Text, { description: 'further own lines' }),
  stack: optional(Text),
});
type Cause = ToolData<Static<typeof Cause>>;
const Refusal = Type.Object({
  answer: Type.String({ description: 'status, method, route' }),
  count: Integer,
  last_path: optional(Text),
  reason: optional(Text),
  at: optional(Text),
  statement: optional(Text),
});
const output = Type.Object({
  service_url: Text,
  requests_scanned: Integer,
  count: Integer,
  server_errors: Integer,
  client_errors: Integer,
  causes: Type.Array(Cause, { description: 'of 5xx and of errors that were logged' }),
  refusals: Type.Array(Refusal, { description: '4xx, and 5xx without a known cause' }),
  by_route: Type.Record(Text, Integer),
  notes: Texts,
});
type Given = Static<typeof input>;

export const fwGetRecentErrors = liveTool({
  name: 'fw_get_recent_errors',
  description: 'Why requests of a running app failed lately: causes with their source line, server errors first.',
  input,
  output,
  texts: ['route', 'status', 'since'],
  run: async (given, context) => {
    const service = await serviceOf(given, context);
    const { scanned, failed, groups } = await readErrors(given, service);
    const causes = pageOf(
      groups.exceptions.filter(fitsCause(given)).map(causeOf(given)),
      undefined,
      'pass route, status or since',
    );
    const refusals = groups.responses.filter(fitsRefusal(given, groups.exceptions));
    const structured = {
      service_url: service.base,
      requests_scanned: scanned.length,
      count: failed.length,
      server_errors: failed.filter(({ status }) => status >= 500).length,
      client_errors: failed.filter(({ status }) => status >= 400 && status < 500).length,
      causes: causes.shown,
      refusals: refusals.slice(0, REFUSALS).map(refusalOf),
      by_route: countByRoute(failed),
      notes: [...causes.notes, ...notesOn(scanned.length, refusals.length)],
    };
    return { summary: verdict(structured, scanned.length), structured };
  },
});

async function readErrors(given: Given, service: Service) {
  const [scanned, groups] = await Promise.all([
    service.read({
      endpoint: 'requests',
      query: { limit: given.limit },
      what: 'requests',
      schema: Type.Array(RequestRecord),
    }),
    service.read({ endpoint: 'errors', what: 'errors', schema: Errors }),
  ]);
  const failed = scanned.filter((each) => (each.status >= 400 || (each.error ?? '') !== '') && fits(given, each));
  return { scanned, failed, groups };
}

function fits(
  { route, status, since }: Given,
  each: Pick<RequestRecord, 'route' | 'path' | 'status' | 'time'>,
): boolean {
  return (
    (!route || `${each.route} ${each.path}`.includes(pathOf(route))) &&
    (!status || fitsStatus(each.status, status)) &&
    (!since || each.time >= since)
  );
}

// Results name a route as `GET /api/x`.
function pathOf(route: string): string {
  return route.trim().replace(/^[A-Z]+ +/, '');
}

function fitsStatus(status: number, wanted: string): boolean {
  return /^\dxx$/i.test(wanted) ? String(status)[0] === wanted[0] : String(status) === wanted.trim();
}

function fitsCause(given: Given): (group: ErrorGroup) => boolean {
  return ({ sample, routes = [], last_seen: time }) => {
    if (given.since && time < given.since) return false;
    if (given.route && !routes.some((each) => each.includes(pathOf(given.route as string)))) {
      return sample !== undefined && sample.path.includes(pathOf(given.route));
    }
    return !given.status || (sample !== undefined && fitsStatus(sample.status, given.status));
  };
}

// A 5xx response whose cause is already listed is left out.
function fitsRefusal(given: Given, causes: readonly ErrorGroup[]): (group: FailedResponses) => boolean {
  const explained = new Set(causes.flatMap(({ routes = [] }) => routes));
  return ({ method, route, status, last_seen: time, last_path: path = '' }) =>
    !(status >= 500 && explained.has(`${method} ${route || path}`)) && fits(given, { route, path, status, time });
}

function causeOf({ detail = false }: Given): (group: ErrorGroup) => Cause {
  return (group) => {
    const { name, message, at, place, handler, frames = [], count, last_seen, routes = [], sample, stack } = group;
    const { last_statement: statement } = group;
    return {
      exception: name,
      message: brief(message, SHOWN_MESSAGE),
      at: at || (handler === undefined ? place : `${handler} (the route; the stack has no line of the app)`),
      count,
      last_seen,
      routes,
      sample: sample && `${sample.method} ${sample.path} ${sample.status} (request ${sample.id}, ${sample.time})`,
      trace_id: sample?.trace_id,
      last_statement: detail ? statement : shortened(statement),
      called_from: frames.slice(1, 1 + SHOWN_FRAMES),
      ...(detail && { stack }),
    };
  };
}

const shortened = (text: string | undefined, most = SHOWN_SQL) => (text === undefined ? undefined : brief(text, most));

function refusalOf({
  method,
  route,
  status,
  count,
  last_path,
  reason,
  at,
  statement,
}: FailedResponses): ToolData<Static<typeof Refusal>> {
  return {
    answer: `${status} ${method} ${route || '(no route matched)'}`,
    count,
    last_path: last_path === route ? undefined : shortened(last_path, 100),
    reason: shortened(reason),
    at,
    statement: shortened(statement),
  };
}

interface Found {
  readonly causes: readonly Cause[];
  readonly refusals: readonly object[];
  readonly server_errors: number;
  readonly client_errors: number;
}

function verdict({ causes, refusals, server_errors, client_errors }: Found, scanned: number): string {
  const counts = `${server_errors} with 5xx and ${client_errors} with 4xx of ${scanned} recorded requests`;
  const [first] = causes;
  if (first) return `${first.exception} at ${first.at || 'an unknown place'}: ${brief(first.message, 120)}. ${counts}.`;
  return refusals[0] ? `No server error with a known cause; ${counts}.` : `Nothing fits; ${counts}.`;
}

function notesOn(scanned: number, refusals: number): string[] {
  return [
    ...(scanned === 0 ? ['Nothing is recorded yet; that is not evidence of health.'] : []),
    ...(refusals > REFUSALS ? [`${refusals - REFUSALS} more kinds of refusals; pass route or status.`] : []),
  ];
}

function countByRoute(errors: readonly RequestRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, route, path } of errors) {
    const key = route === '' ? `${method} ${brief(path, 100)} (no route matched)` : `${method} ${route}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return Object.fromEntries(
    Object.entries(counts)
      .sort((one, other) => other[1] - one[1])
      .slice(0, 12),
  );
}
