import type { Dashboard } from '../dashboard.js';
import { eventRecordOf } from '../record/event-recorder.js';
import type { CacheState, EventsAnswer, McpAnswer, QueriesAnswer } from '../wire/api.js';

/** Caches in the ORM's probe, with their labels. */
const CACHES = {
  plan_cache: 'Compiled plans',
  insert_plans: 'Insert plans',
  scan_plans: 'Scan plans',
  shapes: 'Query shapes',
} as const;

/** Statements, and how well the caches of the ORM work. */
export function queriesAnswer({ queries, diagnostics }: Dashboard, limit: number): QueriesAnswer {
  const report = diagnostics.get('orm');
  const { dialect, ...detail } = report?.detail ?? {};
  const caches = Object.entries(CACHES).flatMap(([key, name]) => cacheOf(name, detail[key]));
  const rest = Object.entries(detail).filter(([key]) => !(key in CACHES));
  return {
    attached: report !== undefined && report.status !== 'off',
    ...(typeof dialect === 'string' && { dialect }),
    slow_ms: queries.options.slowMs,
    totals: queries.totals(),
    caches,
    detail: Object.fromEntries(rest),
    statements: queries.statements(),
    recent: queries.recent.newest(limit),
    statements_dropped: queries.dropped,
  };
}

function cacheOf(name: string, state: unknown): CacheState[] {
  if (typeof state === 'number') return [{ name, size: state }];
  if (typeof state !== 'object' || state === null) return [];
  const numbers = Object.entries(state).filter(([, value]) => typeof value === 'number');
  return [{ size: 0, ...Object.fromEntries(numbers), name }];
}

/** Dispatches of the event bus. */
export function eventsAnswer({ bus, backend, events }: Dashboard, limit: number): EventsAnswer {
  return {
    metrics: { ...(bus?.metrics() ?? {}) },
    names: events.names(),
    recent: (bus?.recent() ?? []).slice(0, limit).map(eventRecordOf),
    ...(backend && { backend: { name: backend.name, stats: { ...backend.stats() } } }),
  };
}

/** Calls of the MCP endpoint. */
export function mcpAnswer({ diagnostics, toolCalls }: Dashboard, limit: number): McpAnswer {
  return {
    endpoint: diagnostics.get('mcp') ?? { subsystem: 'mcp', status: 'off', summary: 'No MCP endpoint runs.' },
    tools: toolCalls.tools(),
    calls: toolCalls.calls.newest(limit),
  };
}
