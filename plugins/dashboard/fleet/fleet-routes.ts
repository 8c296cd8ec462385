import {
  fwError,
  type HttpContext,
  isFwError,
  PROBLEM_MEDIA_TYPE,
  type Router,
  toProblem,
} from '../../../kernel/index.js';
import { TRACE_ID } from '../../../kernel/contracts/fleet.js';
import type { DashboardAccess, Denied } from '../access/access.js';
import { deny, guardSocket } from '../access/deny.js';
import type { AggregatorLink } from './aggregator-link.js';
import type { DashboardFleet } from './dashboard-fleet.js';
import { DASHBOARD_FLEET_ERRORS } from './errors.js';

/** What the Fleet page may read, below `{base}/api/fleet`: the same paths as below the aggregator's `/api`. */
const READS = ['services', 'topology', 'traces', 'incidents', 'violations', 'catalog', 'stats'] as const;
const TRACE_READS = ['', '/logs', '/explain'] as const;
const INCIDENT_ACTION = /^(?:acknowledge|silence|notes)$/;
const MAX_QUERY = 2_000;

/**
 * Registers the Fleet page's part of the dashboard's API: a fixed list of paths, so that no other endpoint of the aggregator is reachable.
 */
export function fleetRoutes(router: Router, { link, relay }: DashboardFleet, access: DashboardAccess): void {
  const read = (path: string, answer: (context: HttpContext, id: string) => unknown) =>
    router.get(`/fleet/${path}`, (context) => {
      const { id = '' } = context.params as { readonly id?: string };
      return (
        refused(context as never, access.check(context as never)) ??
        plainly(context as never, () => answer(context as never, id))
      );
    });
  for (const name of READS) read(name, (context) => pass(context, link, name));
  for (const part of TRACE_READS) {
    read(`traces/:id${part}`, (context, id) => pass(context, link, `traces/${traceId(id)}${part}`));
  }
  read('traces/:id/export', (context, id) => download(context, link, `traces/${traceId(id)}/export`));
  read('export', (context) => download(context, link, 'export'));
  router.post('/fleet/import', (context) =>
    plainly(context as never, () => importFile(context as never, link, access)),
  );
  router.post('/fleet/incidents/:id/:action', (context) =>
    plainly(context as never, () => act(context as never, link, access)),
  );
  router.websocket('/fleet/live', { use: [guardSocket(access)] }, (socket) => relay.join(socket));
}

// Messages of 5xx errors are usually hidden from clients (RFC 9457, section 5). Here the client is the operator, who needs them.
async function plainly(context: HttpContext, answer: () => unknown): Promise<unknown> {
  try {
    return await answer();
  } catch (error) {
    if (!isFwError(error) || error.status !== 502) throw error;
    context.status = error.status;
    context.type = PROBLEM_MEDIA_TYPE;
    context.body = JSON.stringify({ ...toProblem(error, { instance: context.path }), detail: error.message });
    return undefined;
  }
}

function refused(context: HttpContext, denied: Denied | undefined): object | undefined {
  context.set('Cache-Control', 'no-store');
  return denied && deny(context, denied);
}

function traceId(id: string): string {
  if (TRACE_ID.test(id)) return id;
  throw fwError(DASHBOARD_FLEET_ERRORS.FW_DASHBOARD_FLEET_REQUEST, {
    reason: 'a trace id has 32 lower-case hex digits',
  });
}

async function pass(context: HttpContext, link: AggregatorLink, path: string): Promise<unknown> {
  const body = await link.read({ path, query: context.querystring.slice(0, MAX_QUERY), signal: untilGone(context) });
  return answerJson(context, body);
}

async function download(context: HttpContext, link: AggregatorLink, path: string): Promise<unknown> {
  const answer = await link.download({ path, signal: untilGone(context) });
  context.set('Content-Disposition', answer.headers['content-disposition'] ?? 'attachment');
  return answerJson(context, answer);
}

async function importFile(context: HttpContext, link: AggregatorLink, access: DashboardAccess): Promise<unknown> {
  const body = refused(context, access.check(context) ?? access.checkWrite(context));
  if (body !== undefined) return body;
  const { req } = context;
  const length = req.headers['content-length'];
  const headers = { 'content-type': 'application/json', ...(length !== undefined && { 'content-length': length }) };
  return answerJson(context, await link.write({ path: 'import', body: req, headers, signal: untilGone(context) }));
}

async function act(context: HttpContext, link: AggregatorLink, access: DashboardAccess): Promise<unknown> {
  const body = refused(context, access.check(context) ?? access.checkWrite(context));
  if (body !== undefined) return body;
  const { id = '', action = '' } = context.params as { readonly id?: string; readonly action?: string };
  if (!/^\d{1,15}$/.test(id) || !INCIDENT_ACTION.test(action)) {
    const reason =
      'an incident is acknowledged, silenced, or gets notes: /fleet/incidents/<number>/acknowledge, silence or notes';
    throw fwError(DASHBOARD_FLEET_ERRORS.FW_DASHBOARD_FLEET_REQUEST, { reason });
  }
  const answer = await link.act({ path: `incidents/${id}/${action}`, body: context.req, signal: untilGone(context) });
  return answerJson(context, answer);
}

function answerJson(context: HttpContext, body: unknown): void {
  context.type = 'application/json';
  context.body = body;
}

// Aborted when the browser closes the connection.
function untilGone({ res }: HttpContext): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => res.writableFinished || gone.abort());
  return gone.signal;
}
