import { type Static, Type } from 'typebox';
import type { ToolData } from '../../../kernel/contracts/tool.js';
import { pageOf } from '../../../kernel/index.js';
import { Integer, Numeric, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import type { SpanNode, Trace } from './wire.js';

/** Characters of a text that are shown: an aggregator of ours keeps no longer ones. */
const MAX_TEXT = 512;

/** One span of a trace, depth-first; captured payloads are left out. */
export const FlatSpan = Type.Object({
  depth: Integer,
  service: Text,
  method: Text,
  route: Text,
  status: Numeric,
  duration_ms: Numeric,
  span_id: Text,
  error: optional(Text),
  exception: optionalText('class of what was thrown'),
  callee: optionalText('what it called, where that sent no span of its own'),
  root_cause: optional(YesNo),
  derived_error: optional(YesNo),
  orphan: optional(YesNo),
  skewed: optional(YesNo),
});
export type FlatSpan = ToolData<Static<typeof FlatSpan>>;

/** A trace as the tools show it. */
export const FlatTrace = Type.Object({
  trace_id: Text,
  services: Texts,
  span_count: Integer,
  duration_ms: Numeric,
  status: Numeric,
  has_error: YesNo,
  root_cause_span_id: optional(Text),
  root_cause: optional(FlatSpan),
  summary: optional(Text),
  spans: Type.Array(FlatSpan),
  slowest_span: optional(FlatSpan),
  orphan_count: Integer,
  spans_dropped: optional(Integer),
  skew_flagged: YesNo,
  notes: Texts,
});
export type FlatTrace = ToolData<Static<typeof FlatTrace>>;

/** Flattens an assembled trace. Iterative: a trace may be one chain of hundreds of spans. */
export function flatten(trace: Trace): FlatTrace {
  const spans = flatSpans(trace.roots);
  const rootCause = spans.find(({ root_cause }) => root_cause);
  const slowest = spans.reduce<FlatSpan | undefined>(
    (slow, span) => (slow === undefined || span.duration_ms > slow.duration_ms ? span : slow),
    undefined,
  );
  const { trace_id, services, span_count, duration_ms, status, has_error, root_cause_span_id, summary, spans_dropped } =
    trace;
  return {
    trace_id,
    services,
    span_count,
    duration_ms,
    status,
    has_error,
    root_cause_span_id,
    root_cause: rootCause,
    summary,
    spans,
    slowest_span: slowest,
    orphan_count: trace.orphan_count ?? 0,
    spans_dropped,
    skew_flagged: trace.skew_flagged ?? false,
    notes: notesOn(trace, rootCause !== undefined),
  };
}

/** The same with as many spans as an answer may have; root cause and slowest span stand for themselves. */
export function shortened(trace: FlatTrace, limit: number | undefined, more: string): FlatTrace {
  const { shown, notes } = pageOf(trace.spans, limit, more);
  return { ...trace, spans: shown, notes: [...trace.notes, ...notes] };
}

function flatSpans(roots: readonly SpanNode[]): FlatSpan[] {
  const flat: FlatSpan[] = [];
  const open = roots.map((node) => ({ node, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    flat.push(flatSpan(node, depth));
    for (const child of childrenOf(node).reverse()) open.push({ node: child, depth: depth + 1 });
  }
  return flat;
}

/** A copy of its children; what is no span is left out. */
function childrenOf({ children }: SpanNode): SpanNode[] {
  if (!Array.isArray(children)) return [];
  return children.filter((child): child is SpanNode => typeof child === 'object' && child !== null);
}

function flatSpan(node: SpanNode, depth: number): FlatSpan {
  const error = textOf(node['error']);
  const exception = exceptionOf(node);
  const callee = unseenCallee(node);
  const flags = (['root_cause', 'derived_error', 'orphan', 'skewed'] as const).filter((name) => node[name] === true);
  return {
    depth,
    service: textOf(node['service']),
    method: textOf(node['method']),
    route: textOf(node['route']),
    status: typeof node['status'] === 'number' ? node['status'] : 0,
    duration_ms: durationOf(node),
    span_id: textOf(node['span_id']),
    error: error || undefined,
    exception: exception || undefined,
    callee: callee || undefined,
    ...Object.fromEntries(flags.map((name) => [name, true])),
  };
}

/** What was thrown; for an answer that only says that it failed, OpenTelemetry's `error.type` is its status. */
function exceptionOf({ attributes }: SpanNode): string {
  if (typeof attributes !== 'object' || attributes === null) return '';
  const type = textOf((attributes as Readonly<Record<string, unknown>>)['error.type']);
  return /^\d+$/.test(type) ? '' : type;
}

const CALLS: ReadonlySet<unknown> = new Set(['client', 'query', 'producer']);

// A call without a span below it: a database, a stranger's service, or one whose spans were lost.
function unseenCallee(node: SpanNode): string {
  if (!CALLS.has(node['kind']) || childrenOf(node).length > 0) return '';
  const given = node['attributes'];
  const attributes = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const address = textOf(attributes['server.address']);
  const port = attributes['server.port'];
  const at = address !== '' && (typeof port === 'number' || typeof port === 'string') ? `${address}:${port}` : address;
  const system = textOf(attributes['db.system.name']) || textOf(attributes['messaging.system']);
  return (
    textOf(node['peer_service']) ||
    [system, at]
      .filter((part) => part !== '')
      .join(' at ')
      .slice(0, MAX_TEXT)
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : '';
}

function durationOf(node: SpanNode): number {
  if (typeof node['duration_ms'] === 'number') return node['duration_ms'];
  const [start, end] = [nanosecondsOf(node['start_ns']), nanosecondsOf(node['end_ns'])];
  return start === undefined || end === undefined ? 0 : Number(end - start) / 1e6;
}

function nanosecondsOf(value: unknown): bigint | undefined {
  if (typeof value === 'string') return /^\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

function notesOn(trace: Trace, hasRootCause: boolean): string[] {
  const orphans = trace.orphan_count ?? 0;
  return [
    ...(orphans > 0 ? [`${orphans} span(s) have a parent that was never received.`] : []),
    ...((trace.spans_dropped ?? 0) > 0 ? [`${trace.spans_dropped} span(s) were dropped; the tree is incomplete.`] : []),
    ...(trace.skew_flagged ? ['Clocks differ between services: a child starts before its parent.'] : []),
    ...(trace.has_error && !hasRootCause ? ['The trace failed, but no span is marked as the root cause.'] : []),
    ...(trace.roots.length > 1 ? [`The trace has ${trace.roots.length} roots.`] : []),
  ];
}
