import { Type } from 'typebox';
import { fwError, type ToolContext } from '../../../kernel/index.js';
import { LiveProblem, readLive } from '../runtime/index.js';
import { type Aggregator, aggregatorEndpoint } from './aggregator-input.js';
import { FLEET_TOOL_ERRORS } from './errors.js';
import { Trace } from './wire.js';

/** Input that names a trace. */
export const TraceIdInput = { trace_id: Type.String({ description: '32 hex digits' }) };

/**
 * Reads one trace.
 * @throws FwError `FW_TOOLS_TRACE_ID` for an invalid id
 * @throws LiveProblem when the aggregator does not return it
 */
export async function readTrace(given: Aggregator & { readonly trace_id: string }, context: ToolContext) {
  const id = given.trace_id.trim().toLowerCase();
  checkTraceId(id);
  const endpoint = await aggregatorEndpoint(given, context, `traces/${id}`);
  const missing = `Trace ${id} is not held (404): it aged out or was evicted, was never exported, or the address is not that of an aggregator.`;
  const trace = await readLive({ ...endpoint, missing, what: 'trace', schema: Trace }, context);
  return { base: endpoint.base, trace };
}

/** Reads an optional part of a report; a failure becomes a note. */
export async function orNote<Value>(reading: Promise<Value>, empty: Value): Promise<{ value: Value; notes: string[] }> {
  try {
    return { value: await reading, notes: [] };
  } catch (error) {
    if (!(error instanceof LiveProblem)) throw error;
    return { value: empty, notes: [`${error.what} could not be read: ${error.message}`] };
  }
}

function checkTraceId(id: string): void {
  if (/^[0-9a-f]{32}$/.test(id)) return;
  const problem = /^[0-9a-f]{16}$/.test(id)
    ? 'with 16 hex digits it is the id of a span'
    : `it has ${id.length} characters`;
  throw fwError(FLEET_TOOL_ERRORS.FW_TOOLS_TRACE_ID, { given: JSON.stringify(id.slice(0, 80)), problem });
}
