import type { ViolationFilter } from '../contracts/index.js';
import type { TracePage } from '../../../kernel/contracts/fleet-wire.js';
import { objectOf, parsedJson } from '../../../kernel/values/index.js';
import type { TracePosition } from './trace-list.js';
import type { FoundTraces, TraceQuery } from './trace-query.js';

/** Traces of one service only are left out of the list unless asked for: most of them say nothing about a fleet. */
const DEFAULT_MIN_SERVICES = 2;

/** Query of `GET /api/traces`. Invalid values are ignored. */
export function traceQueryOf(query: URLSearchParams): TraceQuery {
  const minServices = Number(query.get('min_services') ?? 0);
  return {
    service: query.get('service') || undefined,
    status: statusOf(query.get('status')),
    minDurationMs: positiveOf(query.get('min_duration_ms')),
    minServices: minServices >= 1 ? minServices : DEFAULT_MIN_SERVICES,
    tag: tagOf(query.get('tag')),
    limit: Number(query.get('limit') ?? query.get('page_size') ?? 0),
    after: positionOf(query.get('cursor')),
  };
}

/** Whether the answer is a page with a cursor instead of a plain array. */
export function wantsPage(query: URLSearchParams): boolean {
  return query.has('page_size') || Boolean(query.get('cursor'));
}

/** A page as it is sent. */
export function pageOf({ traces, has_more, next }: FoundTraces): TracePage {
  return { traces, has_more, ...(next && { next_cursor: Buffer.from(JSON.stringify(next)).toString('base64url') }) };
}

/** Query of `GET /api/violations`. */
export function violationFilterOf(query: URLSearchParams): ViolationFilter {
  const limit = Number(query.get('limit') ?? 0);
  return {
    service: query.get('service') || undefined,
    severity: query.get('severity') || undefined,
    rule: query.get('rule') || undefined,
    ...(limit >= 1 && { limit: Math.floor(limit) }),
  };
}

function statusOf(text: string | null): TraceQuery['status'] {
  if (text === 'error' || text === '5xx') return 'error';
  const status = positiveOf(text);
  return status !== undefined && Number.isInteger(status) ? status : undefined;
}

function positiveOf(text: string | null): number | undefined {
  const number = text === null || text === '' ? NaN : Number(text);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

function tagOf(text: string | null): TraceQuery['tag'] {
  const at = text?.indexOf(':') ?? -1;
  if (text === null || at <= 0 || at === text.length - 1) return undefined;
  return { key: text.slice(0, at), value: text.slice(at + 1) };
}

function positionOf(cursor: string | null): TracePosition | undefined {
  const { start, id } = objectOf(parsedJson(Buffer.from(cursor ?? '', 'base64url')));
  return typeof start === 'string' && /^\d+$/.test(start) && typeof id === 'string' ? { start, id } : undefined;
}
