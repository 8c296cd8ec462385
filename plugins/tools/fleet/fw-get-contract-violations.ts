import { type Static, Type } from 'typebox';
import { pageOf } from '../../../kernel/index.js';
import { Integer, optional, optionalText, Text, Texts } from '../../../kernel/schema/index.js';
import { liveTool, readLive } from '../runtime/index.js';
import { aggregatorEndpoint, AggregatorInput } from './aggregator-input.js';
import { readNotChecked } from './read-not-checked.js';
import { causesOf, sentenceOf, ViolationCause } from './violation-causes.js';
import { NotChecked, Violation, Violations } from './wire.js';

const input = Type.Object({
  ...AggregatorInput,
  service: optionalText('caller or callee'),
  severity: optional(Text),
  rule: optionalText('text to contain'),
  limit: optional(Type.Integer({ minimum: 1 })),
  detail: optional(Type.Boolean({ description: 'every pair of services' })),
});
const output = Type.Object({
  aggregator_url: Text,
  count: Integer,
  total_occurrences: Integer,
  by_severity: Type.Record(Text, Integer),
  by_service_pair: Type.Record(Text, Integer),
  causes: Type.Array(ViolationCause, { description: 'each wrong value once, at the service that it comes from' }),
  violations: Type.Array(Violation, { description: 'most frequent first; only with detail or filters' }),
  not_checked: Type.Array(NotChecked, { description: 'bodies whose check was given up, newest first' }),
  notes: Texts,
});

export const fwGetContractViolations = liveTool({
  name: 'fw_get_contract_violations',
  description: 'Payloads that break the OpenAPI schemas of services, grouped.',
  input,
  output,
  texts: ['service', 'severity', 'rule'],
  run: async (given, context) => {
    const endpoint = await aggregatorEndpoint(given, context, 'violations');
    const [found, unchecked] = await Promise.all([
      readLive({ ...endpoint, what: 'violations', schema: Violations }, context),
      readNotChecked(given, context),
    ]);
    const all = found ?? [];
    const fitting = all.filter(fits(given)).sort((a, b) => b.count - a.count);
    // With a limit, the numbers count only the violations within it.
    const counted = fitting.slice(0, given.limit ?? fitting.length);
    const kinds = causesOf(fitting);
    const causes = pageOf(kinds, undefined, 'pass service or rule');
    const asked =
      given.detail === true ||
      [given.service, given.severity, given.rule, given.limit].some((each) => each !== undefined);
    const page = pageOf(fitting, given.limit ?? (given.detail ? fitting.length : undefined), 'pass a larger limit');
    const violations = asked ? page.shown : [];
    const structured = {
      aggregator_url: endpoint.base,
      count: counted.length,
      total_occurrences: counted.reduce((sum, { count }) => sum + count, 0),
      by_severity: countBy(counted, ({ severity }) => severity),
      by_service_pair: countBy(counted, ({ caller, callee }) => `${caller || 'client'} -> ${callee}`),
      causes: causes.shown,
      violations,
      not_checked: unchecked.value.filter(({ service }) => !given.service || service === given.service),
      notes: [
        ...notesOn(all.length, fitting.length),
        ...causes.notes,
        ...(asked ? page.notes : []),
        ...unchecked.notes,
      ],
    };
    const counts = `${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'} of violation, ${structured.total_occurrences} occurrences${unknownOf(structured.not_checked)}`;
    const [first] = causes.shown;
    return { summary: first ? `${sentenceOf(first)} ${counts}` : counts, structured };
  },
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

// Without this sentence, an empty result would mean that nothing is wrong.
function unknownOf(unchecked: readonly NotChecked[]): string {
  const bodies = unchecked.reduce((sum, { count }) => sum + count, 0);
  return bodies === 0 ? '' : `; ${bodies} not checked`;
}

function notesOn(all: number, fitting: number): string[] {
  if (all === 0)
    return ['None is held. Services must advertise an OpenAPI document in their heartbeat and capture payloads.'];
  return fitting === 0 ? [`None of ${all} fits the filters.`] : [];
}
