import { Readable } from 'node:stream';
import { type AnyMiddleware, fwError, type HttpContext, isFwError, type Logger } from '../../../kernel/index.js';
import type { Trace } from '../../../kernel/contracts/fleet-wire.js';
import type { Aggregator } from './aggregator.js';
import { catalogOf } from './catalog.js';
import type { Credentials } from './credentials.js';
import { AGGREGATOR_ERRORS } from './errors.js';
import { traceLogs } from './log-fan-out.js';
import { readBody } from './read-body.js';
import { isTraceId } from './read-span.js';
import { exportText, importSpans } from './trace-export.js';
import { TurnQueue } from './turn-queue.js';
import { pageOf, traceQueryOf, violationFilterOf, wantsPage } from './trace-query-string.js';

/** What the API is made of. */
export interface FleetApiParts {
  readonly aggregator: Aggregator;
  readonly credentials: Credentials;
  readonly log?: Logger;
  /** What else `GET /api/stats` tells: the numbers of the ways in beside this API. */
  readonly intakes?: () => Readonly<Record<string, unknown>>;
}

interface Parts extends FleetApiParts {
  readonly turns: TurnQueue;
  /** Requests that were refused, by error code: codes are few. */
  readonly refused: Map<string, number>;
}

/** A handler and who may use it. What it returns is sent as JSON. */
interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  readonly access: 'read' | 'write';
  readonly status?: number;
  handle(parts: Parts, context: HttpContext, id: string): unknown;
}

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: /^\/api\/spans$/, access: 'write', status: 202, handle: acceptSpans },
  { method: 'POST', path: /^\/api\/heartbeat$/, access: 'write', status: 202, handle: acceptHeartbeat },
  { method: 'POST', path: /^\/api\/import$/, access: 'write', status: 202, handle: acceptImport },
  { method: 'GET', path: /^\/api\/services$/, access: 'read', handle: ({ aggregator }) => aggregator.services() },
  { method: 'GET', path: /^\/api\/traces$/, access: 'read', handle: listTraces },
  { method: 'GET', path: /^\/api\/traces\/([^/]+)$/, access: 'read', handle: ({ aggregator }, _, id) => traceOr404(aggregator, id) },
  { method: 'GET', path: /^\/api\/traces\/([^/]+)\/logs$/, access: 'read', handle: logsOfTrace },
  { method: 'GET', path: /^\/api\/traces\/([^/]+)\/explain$/, access: 'read', handle: explainTrace },
  { method: 'GET', path: /^\/api\/traces\/([^/]+)\/export$/, access: 'read', handle: exportTrace },
  { method: 'GET', path: /^\/api\/export$/, access: 'read', handle: exportAll },
  { method: 'GET', path: /^\/api\/topology$/, access: 'read', handle: ({ aggregator }) => aggregator.topology() },
  { method: 'GET', path: /^\/api\/incidents$/, access: 'read', handle: ({ aggregator }) => aggregator.incidents() },
  { method: 'GET', path: /^\/api\/violations$/, access: 'read', handle: listViolations },
  { method: 'GET', path: /^\/api\/catalog$/, access: 'read', handle: ({ aggregator }) => catalogOf(aggregator) },
  { method: 'GET', path: /^\/api\/stats$/, access: 'read', handle: statsOf },
]; // prettier-ignore

/**
 * The aggregator's HTTP API as a middleware: everything under its base path is answered here, everything else passes. It
 * stands outside of the application's own chain, whose rate limits and logins are for other callers.
 */
export function fleetApi(given: FleetApiParts): AnyMiddleware {
  const parts = { ...given, turns: new TurnQueue(), refused: new Map<string, number>() };
  const prefix = parts.aggregator.settings.basePath;
  return async function fleet(context: HttpContext, next: () => Promise<unknown>): Promise<void> {
    const path = pathUnder(prefix, context.path);
    if (path === undefined) return void (await next());
    try {
      await answer(parts, context, path);
    } catch (error) {
      sendError(parts, context, error);
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
  for (const endpoint of ENDPOINTS) {
    const match = endpoint.method === method ? endpoint.path.exec(path) : null;
    if (match === null) continue;
    permit(parts.credentials, endpoint, context);
    const body = await endpoint.handle(parts, context, match[1] ?? '');
    context.status = endpoint.status ?? 200;
    if (body instanceof Readable) context.body = body;
    else sendJson(context, body);
    return;
  }
  // What is there is not told to somebody who may not read it.
  permit(parts.credentials, { access: 'read' }, context);
  throw fwError(AGGREGATOR_ERRORS.FW_FLEET_NO_ENDPOINT, { method: context.method, path: path.slice(0, 200) });
}

function permit(credentials: Credentials, { access }: Pick<Endpoint, 'access'>, { req }: HttpContext): void {
  const refusal = access === 'write' ? credentials.refuseWrite(req) : credentials.refuseRead(req);
  if (refusal) throw refusal;
}

function sendJson(context: HttpContext, body: unknown): void {
  context.type = 'application/json';
  context.body = JSON.stringify(body);
}

function sendError({ log, refused }: Parts, context: HttpContext, error: unknown): void {
  const isOurs = isFwError(error) && error.status < 500;
  if (isOurs) refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
  context.status = isOurs ? error.status : 500;
  if (!isOurs) log?.error({ err: error, path: context.path }, 'the aggregator failed to answer');
  if (isOurs && context.status === 429) context.set('Retry-After', String(error.details['seconds']));
  if (context.status === 401) context.set('WWW-Authenticate', 'Basic realm="fw Fleet"');
  // What was not read of a refused body must not be taken for the next request.
  if (!context.req.complete) context.set('Connection', 'close');
  sendJson(context, { error: isOurs ? error.message : 'internal error' });
}

async function acceptSpans({ aggregator, turns }: Parts, { req }: HttpContext): Promise<unknown> {
  const body = await readBody(req, aggregator.settings.maxBodyBytes, turns);
  return { accepted: aggregator.acceptSpans(parsed(body)) };
}

async function acceptHeartbeat({ aggregator, turns }: Parts, { req }: HttpContext): Promise<unknown> {
  const body = await readBody(req, aggregator.settings.maxBodyBytes, turns);
  aggregator.acceptHeartbeat(parsed(body));
  return { status: 'accepted' };
}

async function acceptImport({ aggregator, turns }: Parts, { req }: HttpContext): Promise<unknown> {
  const body = await readBody(req, aggregator.settings.maxBodyBytes, turns);
  return { accepted: importSpans(aggregator, parsed(body)) };
}

// What is no JSON is refused by whoever reads it, in words of its own.
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}

function statsOf({ aggregator, refused, intakes }: Parts): unknown {
  return { ...aggregator.stats(), requests_refused: Object.fromEntries(refused), ...intakes?.() };
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

/** What is said of a trace in which nothing failed but what was cut off from outside. */
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
