import { withoutEnd } from '../../../kernel/values/index.js';
import type { FlatSpan, FlatTrace } from './flat-trace.js';
import type { Incident, NotChecked, Violation } from './wire.js';

/** Facts about an incident beside its trace. */
interface IncidentFacts {
  readonly incidents: readonly Incident[];
  readonly related_violations: readonly Violation[];
  readonly nearby_violations: readonly Violation[];
  readonly not_checked: readonly NotChecked[];
  readonly affected_services: readonly string[];
}

/** Writes the gathered facts as sentences; the same facts always give the same text. */
export function explanation(trace: FlatTrace, facts: IncidentFacts): string {
  return [outcome(trace), ...facts.incidents.map(incidentText), affected(facts), violations(facts)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

// A service that fails because of another incident is a consequence, not an incident of its own.
function incidentText({ banner, cause, consequences = [] }: Incident): string {
  const why = cause ? ` Cause: ${cause.name} (${cause.confidence}): ${cause.reason}` : '';
  const others = consequences.map(({ service }) => service);
  return `${withoutEnd(banner, '. \n')}.${why}${others.length > 0 ? ` Failing for it as well: ${others.join(', ')}.` : ''}`;
}

function outcome({ root_cause, has_error, slowest_span, services, duration_ms, spans }: FlatTrace): string {
  const size = `${spans.length} spans in ${services.length} service(s), ${duration_ms.toFixed(1)} ms`;
  if (root_cause) {
    const derived = spans.filter(({ derived_error }) => derived_error).length;
    const rest = derived > 0 ? ` ${derived} other failing span(s) follow from it.` : '';
    return `The first failure is ${words(root_cause)}.${rest} The trace has ${size}.`;
  }
  if (has_error) return `The trace failed, but its root cause is not known. It has ${size}.`;
  const slowest = slowest_span ? ` The slowest hop is ${words(slowest_span)}.` : '';
  return `The trace succeeded: ${size}.${slowest}`;
}

function words({ service, method, route, status, duration_ms, error, exception, callee }: FlatSpan): string {
  const why = [error, exception].filter((each) => each !== undefined).join(', ');
  const what = [method, route].filter((part) => part !== '').join(' ');
  const called = callee === undefined ? '' : ` in its call of ${callee}, which sent no span of its own,`;
  return `${service || '(unnamed)'}${called}${what ? ` ${what}` : ''} with status ${status} after ${duration_ms.toFixed(1)} ms${why ? ` (${why})` : ''}`;
}

function affected({ affected_services }: IncidentFacts): string {
  return affected_services.length === 0 ? '' : `Affected: ${affected_services.join(', ')}.`;
}

function violations({ related_violations, nearby_violations, not_checked }: IncidentFacts): string {
  const parts = [
    ...(related_violations.length > 0 ? [`${related_violations.length} contract violation(s) in this trace`] : []),
    ...(nearby_violations.length > 0 ? [`${nearby_violations.length} between the same services in other traces`] : []),
  ];
  const found = parts.length === 0 ? [] : [`There are ${parts.join(', and ')}.`];
  const services = [...new Set(not_checked.map(({ service }) => service))];
  const unknown = services.length === 0 ? [] : [`Not every body of ${services.join(', ')} was checked.`];
  return [...found, ...unknown].join(' ');
}
