import { type Static, Type } from 'typebox';
import { brief, defineTool, pageOf } from '../../../kernel/index.js';
import { live } from './live-service.js';
import { SERVICE_TEXTS, type Service, ServiceInput, serviceOf } from './service-input.js';

const SHOWN_MESSAGE = 300;
const SHOWN_SQL = 200;
const SHOWN_FRAMES = 4;
const REFUSALS = 8;

const Request = Type.Object({
  id: Type.String(),
  time: Type.String(),
  method: Type.String(),
  path: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  trace_id: Type.Optional(Type.String()),
});
const RequestRecord = Type.Object({ ...Request.properties, error: Type.Optional(Type.String()) });
type RequestRecord = Static<typeof RequestRecord>;

// Members that a service of an older version does not report are optional.
const ErrorGroup = Type.Object({
  name: Type.String(),
  message: Type.String(),
  source: Type.String(),
  place: Type.String(),
  count: Type.Integer(),
  last_seen: Type.String(),
  stack: Type.String(),
  at: Type.Optional(Type.String()),
  frames: Type.Optional(Type.Array(Type.String())),
  sample: Type.Optional(Request),
  handler: Type.Optional(Type.String()),
  routes: Type.Optional(Type.Array(Type.String())),
  last_statement: Type.Optional(Type.String()),
});
type ErrorGroup = Static<typeof ErrorGroup>;
const FailedResponses = Type.Object({
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  count: Type.Integer(),
  last_seen: Type.String(),
  last_path: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  at: Type.Optional(Type.String()),
  statement: Type.Optional(Type.String()),
});
type FailedResponses = Static<typeof FailedResponses>;
const Errors = Type.Object({ exceptions: Type.Array(ErrorGroup), responses: Type.Array(FailedResponses) });

const input = Type.Object({
  ...ServiceInput,
  route: Type.Optional(Type.String({ description: 'text that route or path contains' })),
  status: Type.Optional(Type.String({ description: '500, 4xx, 5xx' })),
  since: Type.Optional(Type.String({ description: 'ISO time' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'requests to scan' })),
  detail: Type.Optional(Type.Boolean({ description: 'whole stacks' })),
});
const Cause = Type.Object({
  exception: Type.String(),
  message: Type.String(),
  at: Type.String({ description: "top line of the app's own source" }),
  count: Type.Integer(),
  last_seen: Type.String(),
  routes: Type.Array(Type.String()),
  sample: Type.Optional(Type.String({ description: 'newest failed request' })),
  trace_id: Type.Optional(Type.String()),
  last_statement: Type.Optional(Type.String()),
  called_from: Type.Array(Type.String(), { description: 'further own lines' }),
  stack: Type.Optional(Type.String()),
});
type Cause = Static<typeof Cause>;
const Refusal = Type.Object({
  answer: Type.String({ description: 'status, method, route' }),
  count: Type.Integer(),
  last_path: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  at: Type.Optional(Type.String()),
  statement: Type.Optional(Type.String()),
});
const output = Type.Object({
  service_url: Type.String(),
  requests_scanned: Type.Integer(),
  count: Type.Integer(),
  server_errors: Type.Integer(),
  client_errors: Type.Integer(),
  causes: Type.Array(Cause, { description: 'of 5xx and of errors that were logged' }),
  refusals: Type.Array(Refusal, { description: '4xx, and 5xx without a known cause' }),
  by_route: Type.Record(Type.String(), Type.Integer()),
  notes: Type.Array(Type.String()),
});
type Given = Static<typeof input>;

export const fwGetRecentErrors = defineTool({
  name: 'fw_get_recent_errors',
  description: 'Why requests of a running app failed lately: causes with their source line, server errors first.',
  input,
  output,
  texts: [...SERVICE_TEXTS, 'route', 'status', 'since'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
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
  }),
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
      routes: [...routes],
      ...(sample && {
        sample: `${sample.method} ${sample.path} ${sample.status} (request ${sample.id}, ${sample.time})`,
      }),
      ...(sample?.trace_id !== undefined && { trace_id: sample.trace_id }),
      ...(statement !== undefined && { last_statement: detail ? statement : brief(statement, SHOWN_SQL) }),
      called_from: frames.slice(1, 1 + SHOWN_FRAMES),
      ...(detail && { stack }),
    };
  };
}

function refusalOf({
  method,
  route,
  status,
  count,
  last_path,
  reason,
  at,
  statement,
}: FailedResponses): Static<typeof Refusal> {
  return {
    answer: `${status} ${method} ${route || '(no route matched)'}`,
    count,
    ...(last_path !== undefined && last_path !== route && { last_path: brief(last_path, 100) }),
    ...(reason !== undefined && { reason: brief(reason, SHOWN_SQL) }),
    ...(at !== undefined && { at }),
    ...(statement !== undefined && { statement: brief(statement, SHOWN_SQL) }),
  };
}

interface Found {
  readonly causes: readonly Cause[];
  readonly refusals: readonly Static<typeof Refusal>[];
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
