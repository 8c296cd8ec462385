import { type Static, Type } from 'typebox';
import { defineTool } from '../../../kernel/index.js';
import { live, readLive } from '../runtime/index.js';
import { AGGREGATOR_TEXTS, aggregatorEndpoint, AggregatorInput } from './aggregator-input.js';
import { readNotChecked } from './read-not-checked.js';
import { NotChecked, Violation, Violations } from './wire.js';

const input = Type.Object({
  ...AggregatorInput,
  service: Type.Optional(Type.String({ description: 'caller or callee' })),
  severity: Type.Optional(Type.String()),
  rule: Type.Optional(Type.String({ description: 'text to contain' })),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});
const output = Type.Object({
  aggregator_url: Type.String(),
  count: Type.Integer(),
  total_occurrences: Type.Integer(),
  by_severity: Type.Record(Type.String(), Type.Integer()),
  by_service_pair: Type.Record(Type.String(), Type.Integer()),
  violations: Type.Array(Violation, { description: 'most frequent first' }),
  not_checked: Type.Array(NotChecked, { description: 'bodies whose check was given up, newest first' }),
  notes: Type.Array(Type.String()),
});

export const fwGetContractViolations = defineTool({
  name: 'fw_get_contract_violations',
  description: 'Payloads that break the OpenAPI schemas of services, grouped.',
  input,
  output,
  texts: [...AGGREGATOR_TEXTS, 'service', 'severity', 'rule'],
  reach: 'inProcess',
  effects: [],
  run: live<typeof input, typeof output>(async (given, context) => {
    const endpoint = aggregatorEndpoint(given, 'violations');
    const [found, unchecked] = await Promise.all([
      readLive({ ...endpoint, what: 'violations', schema: Violations }, context),
      readNotChecked(given, context),
    ]);
    const all = found ?? [];
    const fitting = all.filter(fits(given)).sort((a, b) => b.count - a.count);
    const violations = fitting.slice(0, given.limit ?? fitting.length);
    const structured = {
      aggregator_url: endpoint.base,
      count: violations.length,
      total_occurrences: violations.reduce((sum, { count }) => sum + count, 0),
      by_severity: countBy(violations, ({ severity }) => severity),
      by_service_pair: countBy(violations, ({ caller, callee }) => `${caller} -> ${callee}`),
      violations,
      not_checked: unchecked.value.filter(({ service }) => !given.service || service === given.service),
      notes: [...notesOn(all.length, fitting.length, violations.length), ...unchecked.notes],
    };
    return {
      summary: `${structured.count} kinds of violation, ${structured.total_occurrences} occurrences${unknownOf(structured.not_checked)}`,
      structured,
    };
  }),
});

function fits({ service, severity, rule }: Static<typeof input>): (violation: Violation) => boolean {
  const wanted = severity?.trim().toLowerCase();
  return (each) =>
    (!service || each.caller === service || each.callee === service) &&
    (!wanted || each.severity.toLowerCase() === wanted) &&
    (!rule || each.rule.includes(rule));
}

function countBy(violations: readonly Violation[], keyOf: (violation: Violation) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of violations) counts[keyOf(each)] = (counts[keyOf(each)] ?? 0) + each.count;
  return counts;
}

// Without it, no violation would read as if there were none.
function unknownOf(unchecked: readonly NotChecked[]): string {
  const bodies = unchecked.reduce((sum, { count }) => sum + count, 0);
  return bodies === 0 ? '' : `; ${bodies} not checked`;
}

function notesOn(all: number, fitting: number, shown: number): string[] {
  if (all === 0)
    return ['None is held. Services must advertise an OpenAPI document in their heartbeat and capture payloads.'];
  if (fitting === 0) return [`None of ${all} fits the filters.`];
  return shown < fitting ? [`${fitting - shown} more beyond the limit.`] : [];
}
