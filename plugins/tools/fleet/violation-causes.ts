import { type Static, Type } from 'typebox';
import { Integer, Text, Texts } from '../../../kernel/schema/index.js';
import type { Violation } from './wire.js';

/** One wrong value: its origin, and the services that passed it on. */
export const ViolationCause = Type.Object({
  origin: Type.String({ description: 'service that sent it first' }),
  at: Type.String({ description: 'JSON pointer into what that service sent' }),
  in: Type.String({ description: 'request or response, with its route' }),
  rule: Text,
  expected: Text,
  observed: Text,
  severity: Text,
  occurrences: Integer,
  passed_on_by: Texts,
  trace_id: Text,
});
export type ViolationCause = Static<typeof ViolationCause>;

/** Groups violations with the same cause: each service passes on the value that the next one gave it. The most frequent first. */
export function causesOf(violations: readonly Violation[]): ViolationCause[] {
  const groups: Violation[][] = violations.filter(isInnermost).map((each) => [each]);
  for (const each of violations.filter((violation) => !isInnermost(violation))) {
    const alike = groups.filter(([first]) => first !== undefined && isAlike(first, each));
    // A service that wraps the value puts more path in front of its former path.
    const wrapped = alike.find(([first]) => each.path.endsWith(first?.path ?? '/'));
    const group = wrapped ?? alike.find(([first]) => lastName(first?.path ?? '') === lastName(each.path));
    if (group) group.push(each);
    else groups.push([each]);
  }
  return withoutRepeats(groups.map(causeOf)).sort((one, other) => other.occurrences - one.occurrences);
}

// An aggregator counts one violation anew after a while, and says it again.
function withoutRepeats(causes: readonly ViolationCause[]): ViolationCause[] {
  const kinds = new Map<string, ViolationCause>();
  for (const each of causes) {
    const { origin, at, in: place, rule, expected, observed } = each;
    const kind = JSON.stringify([origin, at, place, rule, expected, observed]);
    const before = kinds.get(kind);
    const passedOnBy = [...new Set([...(before?.passed_on_by ?? []), ...each.passed_on_by])];
    const occurrences = each.occurrences + (before?.occurrences ?? 0);
    kinds.set(kind, { ...(before ?? each), occurrences, passed_on_by: passedOnBy });
  }
  return [...kinds.values()];
}

function isInnermost(violation: Violation): boolean {
  return senderOf(violation) === originOf(violation);
}

function isAlike(one: Violation, other: Violation): boolean {
  return (
    (['direction', 'rule', 'expected', 'observed'] as const).every((key) => one[key] === other[key]) &&
    originOf(one) === originOf(other)
  );
}

/** A cause as a sentence. */
export function sentenceOf(cause: ViolationCause): string {
  const { origin, at, in: place, rule, expected, observed, passed_on_by: others } = cause;
  const further = others.length === 0 ? '' : `; passed on by ${others.join(', ')}`;
  const [, route = ''] = /^\w+ (.*)$/s.exec(place) ?? [];
  switch (rule) {
    case 'route':
      return `${origin} calls ${route}, which is no route of the document.`;
    case 'method':
      return `${origin} calls ${observed} ${route}, for which the document has ${expected}.`;
    case 'status':
      return `${origin} answers ${route} with status ${observed}, for which the document has ${expected}.`;
    default:
      return `${origin} sends ${observed} where ${expected} is promised at ${at || 'the root'} of its ${place}${further}.`;
  }
}

// The path in front of a value changes when services wrap it; its last name does not.
function lastName(pointer: string): string {
  return (
    pointer
      .split('/')
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ?? ''
  );
}

function senderOf({ direction, caller, callee }: Violation): string {
  return direction === 'response' ? callee : caller;
}

function originOf(violation: Violation): string {
  // Missing in answers of older aggregators.
  return violation.origin ?? senderOf(violation);
}

function causeOf(group: readonly Violation[]): ViolationCause {
  const first = group[0] as Violation;
  const { rule, expected, observed, severity, trace_id, direction, route, path } = first;
  const origin = originOf(first) || 'a client';
  const others = [...new Set(group.map(senderOf))].filter((each) => each !== '' && each !== origin);
  return {
    origin,
    at: path,
    in: `${direction} ${route}`,
    rule,
    expected,
    observed,
    severity,
    occurrences: Math.max(...group.map(({ count }) => count)),
    passed_on_by: others,
    trace_id,
  };
}
