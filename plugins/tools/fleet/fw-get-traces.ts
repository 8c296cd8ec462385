import { type Static, Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live, readLive } from '../runtime/index.js';
import { AGGREGATOR_TEXTS, aggregatorEndpoint, AggregatorInput } from './aggregator-input.js';
import { TraceList, TraceSummary } from './wire.js';

/** As many as a model reads at once; `next_cursor` gets the following ones. */
const FEW = 10;

const input = Type.Object({
  ...AggregatorInput,
  service: Type.Optional(Type.String()),
  status: Type.Optional(Type.String({ description: 'a status, or error' })),
  min_duration_ms: Type.Optional(Type.Number({ minimum: 0 })),
  min_services: Type.Optional(Type.Integer({ minimum: 1 })),
  tag: Type.Optional(Type.String({ description: 'key:value' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: `default ${FEW}` })),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before' })),
});
const output = Type.Object({
  aggregator_url: Type.String(),
  count: Type.Integer(),
  failing: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String()),
  slowest_ms: Type.Number(),
  traces: Type.Array(TraceSummary, { description: 'newest first' }),
  filters_applied: Type.Record(Type.String(), Type.Unknown()),
  notes: Type.Array(Type.String()),
});

export const fwGetTraces = defineTool({
  name: 'fw_get_traces',
  description: 'List recent traces of a Fleet Aggregator, filtered.',
  input,
  output,
  texts: [...AGGREGATOR_TEXTS, 'service', 'status', 'tag', 'cursor'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const filters = filtersOf(given);
    // By default the aggregator hides traces that contain only one service.
    const endpoint = await aggregatorEndpoint(given, context, 'traces', {
      ...filters,
      min_services: given.min_services ?? 1,
      limit: given.limit ?? FEW,
    });
    const page = pageOf(await readLive({ ...endpoint, what: 'traces', schema: TraceList }, context));
    const structured = {
      aggregator_url: endpoint.base,
      count: page.traces.length,
      failing: page.traces.filter(({ has_error }) => has_error).length,
      has_more: page.has_more,
      ...(page.next_cursor !== undefined && { next_cursor: page.next_cursor }),
      slowest_ms: Math.max(0, ...page.traces.map(({ duration_ms }) => duration_ms)),
      traces: page.traces,
      filters_applied: filters,
      notes: notesOn(page.traces.length, filters),
    };
    return { summary: `${structured.count} traces, ${structured.failing} failing`, structured };
  }),
});

function filtersOf({ service, status, min_duration_ms, min_services, tag, limit, cursor }: Static<typeof input>) {
  const all = { service, status, min_duration_ms, min_services, tag, limit, cursor };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== ''));
}

function pageOf(answer: Static<typeof TraceList>) {
  if (answer === null || Array.isArray(answer))
    return { traces: answer ?? [], has_more: false, next_cursor: undefined };
  return { traces: answer.traces ?? [], has_more: answer.has_more ?? false, next_cursor: answer.next_cursor };
}

function notesOn(count: number, filters: Readonly<Record<string, unknown>>): string[] {
  const several =
    Number(filters['min_services'] ?? 1) > 1 ? ['Traces that stay in one service are hidden by min_services.'] : [];
  if (count > 0) return several;
  return [
    Object.keys(filters).length > 0
      ? 'No trace fits the filters; call without them.'
      : 'No trace is held: none was exported yet, or they aged out.',
    ...several,
  ];
}
