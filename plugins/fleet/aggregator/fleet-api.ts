import { Readable } from 'node:stream';
import { type AnyMiddleware, fwError, type HttpContext, isFwError, type Logger } from '../../../kernel/index.js';
import type { SpanFormat } from '../../../kernel/contracts/fleet.js';
import type { Trace } from '../../../kernel/contracts/fleet-wire.js';
import { parsedJson } from '../../../kernel/values/index.js';
import type { Aggregator } from './aggregator.js';
import { catalogOf } from './catalog.js';
import type { Credentials } from './credentials.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import { traceLogs } from './log-fan-out.js';
import { actOn, type IncidentAction } from './incidents/actions.js';
import { refuseCrossSite } from './refuse-cross-site.js';
import { isTraceId } from './read-span.js';
import { endpointOfFormat, refusalInFormat } from './span-formats.js';
import { exportText, importSpans } from './trace-export.js';
import type { RequestBodies } from './request-bodies.js';
import { pageOf, traceQueryOf, violationFilterOf, wantsPage } from './trace-query-string.js';

/** Parts of the API. */
interface FleetApiParts {
  readonly aggregator: Aggregator;
  readonly credentials: Credentials;
  readonly bodies: RequestBodies;
  readonly log?: Logger;
  /** Further statistics for `GET /api/stats`: those of other intakes. */
  readonly intakes?: () => Readonly<Record<string, unknown>>;
  /** Other protocols in which spans are taken. */
  readonly formats?: readonly SpanFormat[];
}

/** The parts of the API, with its state. */
export interface Parts extends FleetApiParts {
  /** Number of refused requests by error code, of which there are few. */
  readonly refused: Map<string, number>;
  readonly endpoints: readonly Endpoint[];
}

/** A handler and who may use it. What it returns is sent as JSON; undefined when it has answered itself. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp | { exec(path: string): RegExpExecArray | readonly string[] | null };
  readonly access: 'read' | 'write' | 'act';
  readonly status?: number;
  handle(parts: Parts, context: HttpContext, id: string): unknown;
}

/** Largest body of an action on an incident, in bytes. */
const MAX_ACTION_BYTES = 16 * 1024;

const ENDPOINTS: readonly Endpoint[] = [
  intake(/^\/api\/spans$/, (aggregator, batch) => ({ accepted: aggregator.acceptSpans(batch) })),
  intake(/^\/api\/heartbeat$/, (aggregator, heartbeat) => {
    aggregator.acceptHeartbeat(heartbeat);
    return { status: 'accepted' };
  }),
  intake(/^\/api\/import$/, (aggregator, file) => ({ accepted: importSpans(aggregator, file) })),
  reading(/^\/api\/services$/, ({ aggregator }) => aggregator.services()),
  reading(/^\/api\/traces$/, listTraces),
  reading(/^\/api\/traces\/([^/]+)$/, ({ aggregator }, _, id) => traceOr404(aggregator, id)),
  reading(/^\/api\/traces\/([^/]+)\/logs$/, logsOfTrace),
  reading(/^\/api\/traces\/([^/]+)\/explain$/, explainTrace),
  reading(/^\/api\/traces\/([^/]+)\/export$/, exportTrace),
  reading(/^\/api\/export$/, exportAll),
  reading(/^\/api\/topology$/, ({ aggregator }) => aggregator.topology()),
  reading(/^\/api\/incidents$/, ({ aggregator }) => aggregator.incidents()),
  { method: 'POST', path: /^\/api\/incidents\/(\d{1,15}\/(?:acknowledge|silence|notes))$/, access: 'act', handle: actOnIncident },
  reading(/^\/api\/violations$/, listViolations),
  reading(/^\/api\/catalog$/, ({ aggregator }) => catalogOf(aggregator)),
  reading(/^\/api\/stats$/, statsOf),
]; // prettier-ignore

function reading(path: RegExp, handle: Endpoint['handle']): Endpoint {
  return { method: 'GET', path, access: 'read', handle };
}

// A body that is no JSON is refused by its reader, with an error of its own.
function intake(path: RegExp, take: (aggregator: Aggregator, body: unknown) => unknown): Endpoint {
  const handle = ({ aggregator, bodies }: Parts, { req }: HttpContext) =>
    bodies.use(req, aggregator.settings.maxBodyBytes, (body) => take(aggregator, parsedJson(body)));
  return { method: 'POST', path, access: 'write', status: 202, handle };
}

/**
 * The aggregator's HTTP API as a middleware: everything under its base path is answered here, everything else passes. It is outside of the
 * application's own middlewares, whose rate limits and logins are for other callers.
 */
export function fleetApi(given: FleetApiParts): AnyMiddleware {
  const endpoints = [...ENDPOINTS, ...(given.formats ?? []).map(endpointOfFormat)];
  const parts: Parts = { ...given, endpoints, refused: new Map<string, number>() };
  const prefix = parts.aggregator.settings.basePath;
  return async function fleet(context: HttpContext, next: () => Promise<unknown>): Promise<void> {
    const path = pathUnder(prefix, context.path);
    if (path === undefined) return void (await next());
    try {
      await answer(parts, context, path);
    } catch (error) {
      sendError(parts, context, path, error);
    }
  };
}

function pathUnder(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length);
  return rest === '' || rest.startsWith('/') ? rest : undefined;
}

async function answer(parts: Parts, context: HttpContext, path: string): Promise<void> {
  context.set('Cache-Control', 'no-store');
  context.set('X-Content-Type-Options', 'nosniff');
  const method = context.method === 'HEAD' ? 'GET' : context.method;
  for (const endpoint of parts.endpoints) {
    const match = endpoint.method === method ? endpoint.path.exec(path) : null;
    if (match === null) continue;
    permit(parts.credentials, endpoint, context);
    const body = await endpoint.handle(parts, context, match[1] ?? '');
    context.status = endpoint.status ?? 200;
    if (body instanceof Readable) context.body = body;
    else if (body !== undefined) sendJson(context, body);
    return;
  }
  // A caller without read access must not learn which endpoints exist.
  permit(parts.credentials, { access: 'read' }, context);
  throw fwError(AGGREGATOR_ERRORS.FW_FLEET_NO_ENDPOINT, {
    method: context.method,
    path: path.slice(0, 200) || '/',
  });
}

function permit(credentials: Credentials, { access }: Pick<Endpoint, 'access'>, { req }: HttpContext): void {
  const refusal = access === 'write' ? credentials.refuseWrite(req) : credentials.refuseRead(req);
  if (refusal) throw refusal;
  if (access === 'act') refuseCrossSite(req);
}

function sendJson(context: HttpContext, body: unknown): void {
  context.type = 'application/json';
  context.body = JSON.stringify(body);
}

function sendError({ log, refused, formats = [] }: Parts, context: HttpContext, path: string, error: unknown): void {
  const isOurs = isFwError(error) && (error.status < 500 || error.status === 503);
  if (isOurs) refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
  context.status = isOurs ? error.status : 500;
  if (!isOurs) log?.error({ err: error, path: context.path }, 'the aggregator failed to answer');
  if (isOurs && error.details['seconds'] !== undefined) context.set('Retry-After', String(error.details['seconds']));
  if (context.status === 401) context.set('WWW-Authenticate', 'Basic realm="fw Fleet"');
  // The unread rest of a refused body must not be taken for the next request.
  if (!context.req.complete) context.set('Connection', 'close');
  const message = isOurs ? error.message : 'internal error';
  if (!refusalInFormat(formats, context, path, message)) sendJson(context, { error: message });
}

async function actOnIncident({ aggregator, bodies }: Parts, { req }: HttpContext, path: string): Promise<unknown> {
  const [id, action] = path.split('/') as [string, IncidentAction];
  const body = await bodies.use(req, MAX_ACTION_BYTES, parsedJson);
  return actOn(aggregator.incidentLog, Number(id), action, body, aggregator.now());
}

function statsOf({ aggregator, credentials, refused, intakes }: Parts): unknown {
  const counts = { requests_refused: Object.fromEntries(refused), failed_logins: credentials.failedLogins };
  return { ...aggregator.stats(), ...counts, ...intakes?.() };
}

function listTraces({ aggregator }: FleetApiParts, context: HttpContext): unknown {
  const query = new URLSearchParams(context.querystring);
  const page = aggregator.traces(traceQueryOf(query));
  return wantsPage(query) ? pageOf(page) : page.traces;
}

function listViolations({ aggregator }: FleetApiParts, context: HttpContext): unknown {
  return aggregator.violations(violationFilterOf(new URLSearchParams(context.querystring)));
}

function traceOr404(aggregator: Aggregator, id: string): Trace {
  if (!isTraceId(id)) throw fwError(AGGREGATOR_ERRORS.FW_FLEET_TRACE_ID, {});
  const trace = aggregator.trace(id);
  if (trace) return trace;
  throw fwError(AGGREGATOR_ERRORS.FW_FLEET_TRACE_UNKNOWN, { traceTTL: aggregator.settings.traceTTL });
}

function logsOfTrace({ aggregator }: FleetApiParts, _context: HttpContext, id: string): unknown {
  return traceLogs(aggregator, id, traceOr404(aggregator, id).services);
}

/** Message for a trace whose only failures were cancelled from outside. */
const CUT_OFF = 'Cannot tell: all that failed was cut off because its caller did not wait any longer.';

/** A failing trace with what belongs to it: incidents of its services, violations of its calls. */
function explainTrace({ aggregator }: FleetApiParts, _context: HttpContext, id: string): unknown {
  const trace = traceOr404(aggregator, id);
  const involved = new Set(trace.services);
  return {
    trace_id: id,
    summary: trace.summary ?? (trace.has_error ? CUT_OFF : 'Nothing failed in this trace.'),
    root_cause_span_id: trace.root_cause_span_id ?? null,
    root_cause_reason: trace.root_cause_reason ?? null,
    root_cause_confidence: trace.root_cause_confidence ?? null,
    root_cause_evidence: trace.root_cause_evidence ?? [],
    slowest_span_id: trace.slowest_span_id ?? null,
    trace,
    incidents: aggregator.incidents().filter(
      ({ service, affected }) => involved.has(service) || affected.some((each) => involved.has(each.service)),
    ),
    violations: aggregator.violations().filter(
      (each) => each.trace_id === id || (involved.has(each.callee) && (each.caller === '' || involved.has(each.caller))),
    ),
  }; // prettier-ignore
}

function exportTrace({ aggregator }: FleetApiParts, context: HttpContext, id: string): unknown {
  traceOr404(aggregator, id);
  const stored = aggregator.store.get(id);
  return download(context, `trace-${id}.json`, exportText(stored ? [stored] : [], aggregator.now()));
}

function exportAll({ aggregator }: FleetApiParts, context: HttpContext): unknown {
  return download(context, 'fleet-window.json', exportText([...aggregator.store.traces()], aggregator.now()));
}

function download(context: HttpContext, name: string, text: Iterable<string>): Readable {
  context.type = 'application/json';
  context.set('Content-Disposition', `attachment; filename="${name}"`);
  return Readable.from(text, { objectMode: false });
}
