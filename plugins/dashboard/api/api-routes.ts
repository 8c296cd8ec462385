import {
  countersEnabled,
  countersSince,
  type HttpContext,
  type LocalRecords,
  type Router,
  type SubsystemReport,
} from '../../../kernel/index.js';
import { deny } from '../access/deny.js';
import type { Dashboard } from '../dashboard.js';
import { LOG_LEVELS } from '../record/log-recorder.js';
import { recordOf } from '../record/request-recorder.js';
import type { DiagnosticsAnswer, LogLevel, RequestDetail } from '../wire/api.js';
import { bootAnswer, configurationAnswer, explorerAnswer } from './application.js';
import { eventsAnswer, mcpAnswer, queriesAnswer } from './activity.js';
import { countsOf, overview } from './overview.js';
import { routeStatistics } from './route-statistics.js';
import { stallsOf } from './stalls.js';

const HISTORY_POINTS = 300;
const DEFAULT_REQUESTS = 200;
const DEFAULT_LOGS = 500;
const DEFAULT_QUERIES = 200;

/** The parts of a request that an endpoint reads, and the status that it may set. */
interface Asked {
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly params: Readonly<Record<string, string>>;
  status: number;
}

type Answer = (context: Asked, dashboard: Dashboard) => unknown;

/** Readable with the service token too (SPEC "HTTP endpoints" for diagnostics). */
const FOR_SERVICES: Readonly<Record<string, Answer>> = { logs, diagnostics };

const FOR_PEOPLE: Readonly<Record<string, Answer>> = {
  overview: (_context, dashboard) => overview(dashboard),
  routes: (_context, dashboard) => routeStatistics(dashboard),
  requests,
  'requests/:id': requestDetail,
  errors: (_context, { errors }) => errors.answer(),
  performance: (_context, { sampler, recorder }) => ({
    current: sampler.current(),
    history: sampler.history.newest(HISTORY_POINTS).reverse(),
    stalls: stallsOf(sampler.history.newest(HISTORY_POINTS), recorder.records),
  }),
  queries: (context, dashboard) => queriesAnswer(dashboard, limitOf(context, DEFAULT_QUERIES)),
  events: (context, dashboard) => eventsAnswer(dashboard, limitOf(context, DEFAULT_QUERIES)),
  mcp: (context, dashboard) => mcpAnswer(dashboard, limitOf(context, DEFAULT_QUERIES)),
  boot: (_context, dashboard) => bootAnswer(dashboard),
  configuration: (_context, dashboard) => configurationAnswer(dashboard),
  'api-explorer': (_context, dashboard) => explorerAnswer(dashboard),
};

/** Registers the JSON API below `{base}/api`. */
export function apiRoutes(router: Router, dashboard: Dashboard): void {
  const register = (answers: Readonly<Record<string, Answer>>, tokenAllowed: boolean) => {
    for (const [path, answer] of Object.entries(answers)) {
      router.get(`/${path}`, (context) => guarded(context as never, dashboard, answer, tokenAllowed));
    }
  };
  register(FOR_PEOPLE, false);
  register(FOR_SERVICES, true);
}

function guarded(context: HttpContext, dashboard: Dashboard, answer: Answer, tokenAllowed: boolean): unknown {
  // Answers about the running process must not be cached.
  context.set('Cache-Control', 'no-store');
  const denied = dashboard.access.check(context, tokenAllowed);
  return denied ? deny(context, denied) : answer(context as Asked, dashboard);
}

/** The same answers for code inside the application. */
export function localRecords(dashboard: Dashboard): LocalRecords {
  const answers = { ...FOR_PEOPLE, ...FOR_SERVICES };
  return {
    get url() {
      return dashboard.server().url;
    },
    read: (endpoint, query) => {
      const [, name = '', id] = /^([^/]+)(?:\/(.+))?$/.exec(endpoint) ?? [];
      const answer = answers[id === undefined ? name : `${name}/:id`];
      const asked: Asked = { query, params: id === undefined ? {} : { id }, status: 200 };
      const body = answer?.(asked, dashboard);
      return asked.status === 200 && body !== undefined ? (JSON.parse(JSON.stringify(body)) as unknown) : undefined;
    },
  };
}

function answerWith(context: Asked, status: number, body: object): unknown {
  context.status = status;
  return body;
}

function requests(context: Asked, { recorder }: Dashboard): unknown {
  recorder.watch();
  const { method, status, route, user, trace_id: traceId, marker } = queryOf(context);
  const fits = (record: RequestDetail) =>
    (!method || record.method === method.toUpperCase()) &&
    (!status || fitsStatus(record.status, status)) &&
    (!route || record.route.includes(route) || record.path.includes(route)) &&
    (!user || record.user.toLowerCase() === user.toLowerCase()) &&
    (!traceId || record.trace_id === traceId) &&
    (!marker || record.marker === marker);
  return recorder.records.newest(limitOf(context, DEFAULT_REQUESTS), fits).map(recordOf);
}

function fitsStatus(status: number, wanted: string): boolean {
  return /^\dxx$/i.test(wanted) ? String(status)[0] === wanted[0] : String(status) === wanted;
}

function requestDetail(context: Asked, { recorder }: Dashboard): unknown {
  const { id } = context.params;
  const [found] = recorder.records.newest(1, (record) => record.id === id);
  return found ?? answerWith(context, 404, { error: 'the request is not kept, or not any more' });
}

function logs(context: Asked, dashboard: Dashboard): unknown {
  const { level = 'app', q, trace_id: traceId } = queryOf(context);
  const levels = [...LOG_LEVELS, 'all'] as const;
  if (!(levels as readonly string[]).includes(level)) {
    return answerWith(context, 400, {
      error: `level is "${level.slice(0, 40)}"; expected one of: ${levels.join(', ')}`,
    });
  }
  const limit = limitOf(context, DEFAULT_LOGS);
  return dashboard.logs.find({ level: level as LogLevel | 'all', limit, text: q, traceId });
}

function diagnostics(context: Asked, { diagnostics: registry }: Dashboard): unknown {
  const { subsystem } = queryOf(context);
  if (!subsystem) return allReports(registry.snapshot());
  const report = registry.get(subsystem);
  if (report) return report;
  const error = `no subsystem "${subsystem.slice(0, 80)}"`;
  return answerWith(context, 404, { error, registered: registry.registered() });
}

function allReports(subsystems: readonly SubsystemReport[]): DiagnosticsAnswer {
  const since = countersSince();
  return {
    subsystems,
    total: subsystems.length,
    ...countsOf(subsystems),
    with_notes: subsystems.filter(({ notes }) => (notes?.length ?? 0) > 0).length,
    counting: countersEnabled(),
    ...(since !== undefined && { counting_since: new Date(since).toISOString() }),
  };
}

function limitOf(context: Asked, standard: number): number {
  const given = Number(queryOf(context)['limit']);
  return Number.isInteger(given) && given > 0 ? given : standard;
}

function queryOf(context: Asked): Readonly<Record<string, string | undefined>> {
  const first = Object.entries(context.query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return Object.fromEntries(first) as Readonly<Record<string, string | undefined>>;
}
