import { isFwError } from '../../../kernel/index.js';
import type { LogSource, TraceLog, TraceLogs } from '../../../kernel/contracts/fleet-wire.js';
import { byText, objectOf, parsedJson, withoutEnd } from '../../../kernel/values/index.js';
import type { Aggregator } from './aggregator.js';
import { type Fetched, guardedFetch } from './guarded-fetch.js';

/** Milliseconds for one service, and bytes of its answer. */
const TIMEOUT_MS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Lines of one service. */
const MAX_LINES = 200;
/** Services that are asked for one trace. */
const MAX_SERVICES = 50;

interface Answer {
  readonly source: LogSource;
  readonly logs: readonly TraceLog[];
  readonly truncated?: boolean;
}

/** Asks the services of a trace for their log lines; each keeps its own. A service that does not answer is listed as such. */
export async function traceLogs(
  aggregator: Aggregator,
  traceId: string,
  services: readonly string[],
): Promise<TraceLogs> {
  const { serviceToken, ingestToken, fetchAllowedHosts } = aggregator.settings;
  if (serviceToken === '') {
    return {
      trace_id: traceId,
      logs: [],
      sources: [],
      disabled: 'Set serviceToken to ask services for their log lines.',
    };
  }
  // Otherwise anybody could send a heartbeat and receive the token.
  const isSafe = ingestToken !== '' || fetchAllowedHosts.length > 0;
  const answers = await Promise.all(
    services
      .slice(0, MAX_SERVICES)
      .map((service) =>
        isSafe
          ? ask(aggregator, traceId, service)
          : unavailable(service, 'its address is not trusted: set ingestToken or fetchAllowedHosts'),
      ),
  );
  const logs = inOrder(answers.flatMap((answer) => answer.logs));
  const sources = answers.map(({ source }) => source).sort((a, b) => byText(a.service, b.service));
  return { trace_id: traceId, logs, sources, ...(answers.some(({ truncated }) => truncated) && { truncated: true }) };
}

/** Oldest first. Services write fractions of a second with as many digits as they like (RFC 3339 5.6), and in their own zones. */
function inOrder(logs: readonly TraceLog[]): readonly TraceLog[] {
  return logs
    .map((log) => ({ log, instant: instantOf(log.time) }))
    .sort((a, b) => byText(a.instant, b.instant))
    .map(({ log }) => log);
}

/** The time in UTC with nine decimal digits, so that texts sort like instants. */
function instantOf(time: string): string {
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds)) return time;
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? '';
  return `${new Date(milliseconds).toISOString().slice(0, -4)}${fraction.slice(0, 9).padEnd(9, '0')}`;
}

async function ask(aggregator: Aggregator, traceId: string, service: string): Promise<Answer> {
  const address = addressOf(aggregator, service);
  if (address === undefined) return unavailable(service, 'its heartbeats name no address to ask');
  address.searchParams.set('trace_id', traceId);
  const { serviceToken, fetchAllowedHosts } = aggregator.settings;
  try {
    const answer = await guardedFetch(address.href, {
      timeout: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      allowedHosts: fetchAllowedHosts,
      headers: { 'x-fleet-token': serviceToken },
    });
    return answerOf(service, answer);
  } catch (error) {
    return unavailable(service, isFwError(error) ? error.message : String(error));
  }
}

function addressOf(aggregator: Aggregator, service: string): URL | undefined {
  const heartbeat = aggregator.registry.newest(service);
  const { logs_url: logs, dashboard_url: dashboard, openapi_url: openapi } = heartbeat ?? {};
  if (logs !== undefined) return URL.canParse(logs) ? new URL(logs) : undefined;
  if (dashboard !== undefined && URL.canParse(dashboard)) return new URL(`${withoutEnd(dashboard, '/')}/api/logs`);
  return openapi !== undefined && URL.canParse(openapi) ? new URL('/dashboard/api/logs', openapi) : undefined;
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'it refused the service_token',
  403: 'it refused the service_token',
  404: 'it has no log endpoint',
};

function answerOf(service: string, { status, body }: Fetched): Answer {
  if (status !== 200) return unavailable(service, REASONS[status] ?? `it answered ${status}`);
  const lines = parsedJson(body);
  if (!Array.isArray(lines)) return unavailable(service, 'its answer is no JSON array');
  const logs = lines.slice(0, MAX_LINES).flatMap((line) => lineOf(service, line));
  return { source: { service, available: true, count: logs.length }, logs, truncated: lines.length > MAX_LINES };
}

function lineOf(service: string, line: unknown): readonly TraceLog[] {
  const { time, level, message, source, trace_id: traceId } = objectOf(line);
  if (typeof time !== 'string' || typeof message !== 'string') return [];
  return [
    {
      time,
      level: typeof level === 'string' ? level : 'app',
      message,
      ...(typeof source === 'string' && { source }),
      ...(typeof traceId === 'string' && { trace_id: traceId }),
      service,
    },
  ];
}

function unavailable(service: string, error: string): Answer {
  return { source: { service, available: false, error, count: 0 }, logs: [] };
}
