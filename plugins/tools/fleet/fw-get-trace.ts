import { Type } from 'typebox';
import { optional, Text } from '../../../kernel/schema/index.js';
import { liveTool } from '../runtime/index.js';
import { AggregatorInput } from './aggregator-input.js';
import { flatten, FlatTrace, shortened } from './flat-trace.js';
import { readTrace, TraceIdInput } from './read-trace.js';

const input = Type.Object({
  ...AggregatorInput,
  ...TraceIdInput,
  limit: optional(Type.Integer({ minimum: 1 })),
});
const output = Type.Object({ aggregator_url: Text, ...FlatTrace.properties });

export const fwGetTrace = liveTool({
  name: 'fw_get_trace',
  description: 'One trace, its spans flattened depth-first, with the root cause.',
  input,
  output,
  texts: ['trace_id'],
  run: async (given, context) => {
    const { base, trace } = await readTrace(given, context);
    const structured = { aggregator_url: base, ...shortened(flatten(trace), given.limit, 'pass limit') };
    const outcome = trace.has_error ? 'failed' : 'succeeded';
    return {
      summary: trace.summary || `${trace.span_count} spans in ${trace.services.length} service(s), ${outcome}`,
      structured,
    };
  },
});
