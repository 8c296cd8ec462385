import { Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live } from '../runtime/index.js';
import { AGGREGATOR_TEXTS, AggregatorInput } from './aggregator-input.js';
import { flatten, FlatTrace, shortened } from './flat-trace.js';
import { readTrace, TraceIdInput } from './read-trace.js';

const input = Type.Object({
  ...AggregatorInput,
  ...TraceIdInput,
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});
const output = Type.Object({ aggregator_url: Type.String(), ...FlatTrace.properties });

export const fwGetTrace = defineTool({
  name: 'fw_get_trace',
  description: 'One trace, its spans flattened depth-first, with the root cause.',
  input,
  output,
  texts: [...AGGREGATOR_TEXTS, 'trace_id'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const { base, trace } = await readTrace(given, context);
    const structured = { aggregator_url: base, ...shortened(flatten(trace), given.limit, 'pass limit') };
    const outcome = trace.has_error ? 'failed' : 'succeeded';
    return {
      summary: trace.summary || `${trace.span_count} spans in ${trace.services.length} service(s), ${outcome}`,
      structured,
    };
  }),
});
