import { type Static, Type } from 'typebox';
import { Integer, Members, Numeric, optional, optionalText, Text, Texts, YesNo } from '../../../kernel/schema/index.js';
import { liveTool, readLive } from '../runtime/index.js';
import { aggregatorEndpoint, AggregatorInput } from './aggregator-input.js';
import { TraceList, TraceSummary } from './wire.js';

/** As many as a model reads at once; `next_cursor` gets the following ones. */
const FEW = 10;

const input = Type.Object({
  ...AggregatorInput,
  service: optional(Text),
  status: optionalText('a status, or error'),
  min_duration_ms: optional(Type.Number({ minimum: 0 })),
  min_services: optional(Type.Integer({ minimum: 1 })),
  tag: optionalText('key:value'),
  limit: optional(Type.Integer({ minimum: 1, maximum: 500, description: `default ${FEW}` })),
  cursor: optionalText('next_cursor of the page before'),
});
const output = Type.Object({
  aggregator_url: Text,
  count: Integer,
  failing: Integer,
  has_more: YesNo,
  next_cursor: optional(Text),
  slowest_ms: Numeric,
  traces: Type.Array(TraceSummary, { description: 'newest first' }),
  filters_applied: Members,
  notes: Texts,
});

export const fwGetTraces = liveTool({
  name: 'fw_get_traces',
  description: 'List recent traces of a Fleet Aggregator, filtered.',
  input,
  output,
  texts: ['service', 'status', 'tag', 'cursor'],
  run: async (given, context) => {
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
      next_cursor: page.next_cursor,
      slowest_ms: Math.max(0, ...page.traces.map(({ duration_ms }) => duration_ms)),
      traces: page.traces,
      filters_applied: filters,
      notes: notesOn(page.traces.length, filters),
    };
    return { summary: `${structured.count} traces, ${structured.failing} failing`, structured };
  },
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
