import { Type } from 'typebox';
import { type ToolContext } from '../../../kernel/index.js';
import { Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool, readLive } from '../runtime/index.js';
import { type Aggregator, aggregatorEndpoint, AggregatorInput } from './aggregator-input.js';
import { flatten, FlatTrace, shortened } from './flat-trace.js';
import { explanation } from './incident-text.js';
import { orNote, readTrace, TraceIdInput } from './read-trace.js';
import { readNotChecked } from './read-not-checked.js';
import { whereThrown } from './where-thrown.js';
import { Incident, Incidents, NotChecked, type Trace, Violation, Violations } from './wire.js';

const input = Type.Object({ ...AggregatorInput, ...TraceIdInput });
const output = Type.Object({
  aggregator_url: Text,
  trace_id: Text,
  explanation: Text,
  trace: FlatTrace,
  incidents: Type.Array(Incident, { description: "those that touch the trace's services" }),
  related_violations: Type.Array(Violation, { description: 'of this trace' }),
  nearby_violations: Type.Array(Violation, { description: 'between services of this trace, seen in another one' }),
  not_checked: Type.Array(NotChecked, { description: 'of services of this trace: bodies whose check was given up' }),
  affected_services: Texts,
  notes: Texts,
});

export const fwExplainIncident = liveTool({
  name: 'fw_explain_incident',
  description: 'Explain a trace: root cause, blast radius and contract violations together.',
  input,
  output,
  texts: ['trace_id'],
  run: async (given, context) => {
    const { base, trace } = await readTrace(given, context);
    const [found, violations, unchecked] = await Promise.all([
      incidentsOf(given, context),
      violationsOf(given, context),
      readNotChecked(given, context),
    ]);
    const incidents = touching(found.value, trace);
    const near = violations.value.filter((each) => isBetween(each, trace));
    const flat = flatten(trace);
    const facts = {
      incidents,
      related_violations: violations.value.filter((each) => each.trace_id === trace.trace_id),
      nearby_violations: near.filter((each) => each.trace_id !== trace.trace_id),
      not_checked: unchecked.value.filter(({ service }) => trace.services.includes(service)),
      affected_services: affectedBy(incidents),
    };
    const structured = {
      aggregator_url: base,
      trace_id: trace.trace_id,
      explanation: explanation(flat, facts),
      trace: shortened(flat, undefined, 'fw_get_trace lists them with limit'),
      ...facts,
      notes: [...(await whereThrown(flat, context)), ...found.notes, ...violations.notes, ...unchecked.notes],
    };
    return { summary: structured.explanation, structured };
  },
});

async function incidentsOf(given: Aggregator, context: ToolContext) {
  const endpoint = await aggregatorEndpoint(given, context, 'incidents');
  const reading = readLive({ ...endpoint, what: 'incidents', schema: Incidents }, context).then((found) => found ?? []);
  return orNote(reading, [] as Incident[]);
}

async function violationsOf(given: Aggregator, context: ToolContext) {
  const endpoint = await aggregatorEndpoint(given, context, 'violations');
  const reading = readLive({ ...endpoint, what: 'violations', schema: Violations }, context).then(
    (found) => found ?? [],
  );
  return orNote(reading, [] as Violation[]);
}

function touching(incidents: readonly Incident[], { services }: Trace): Incident[] {
  const present = incidents.map((incident) => ({ ...incident, affected: incident.affected ?? [] }));
  return present.filter(
    ({ service, affected }) => services.includes(service) || affected.some((each) => services.includes(each.service)),
  );
}

function isBetween({ caller, callee }: Violation, { services }: Trace): boolean {
  return services.includes(callee) && (caller === '' || services.includes(caller));
}

function affectedBy(incidents: readonly Incident[]): string[] {
  return [...new Set(incidents.flatMap(({ affected }) => (affected ?? []).map(({ service }) => service)))].sort();
}
