import { counted } from './counted.js';
import type { SpanKind } from '../../../kernel/contracts/fleet-wire.js';
import { failureClass, nameOf, operationOf, placeOf, type RootCause, targetOf } from './root-cause/index.js';
import type { TreeNode } from './span-tree.js';

/** Kinds of spans that are work of their own service; the others are calls of somebody else. */
const OWN_WORK: ReadonlySet<SpanKind> = new Set(['server', 'internal', 'consumer', 'event']);

/** The failure of a trace in one or two sentences, for people and agents. */
export function summaryOf({ node, confidence, derived, alike, survivedBy }: RootCause): string {
  const failure = failureOf(node, alike);
  const culprit = OWN_WORK.has(node.span.kind) ? node.span.service : '';
  const affected = [
    ...new Set([...derived.keys()].filter((each) => isAffected(each, node)).map(({ span }) => span.service)),
  ]
    .filter((service) => service !== culprit && service !== '')
    .sort();
  const doubt = confidence === 'unsure' ? 'Cannot tell for sure; the best guess: ' : '';
  const survived = survivedBy ? ` ${nameOf(survivedBy)} went on without it.` : '';
  if (affected.length === 0) return doubt + failure + survived;
  return `${doubt}${failure} ${counted(affected.length, 'service')} affected by it: ${affected.join(', ')}.${survived}`;
}

// Whether a direct or indirect caller failed because of the cause.
function isAffected(node: TreeNode, cause: TreeNode): boolean {
  // A job is an outcome of its own, too.
  const isOutcome = node.span.kind === 'server' || node.span.kind === 'consumer' || node.parent === undefined;
  if (!isOutcome) return false;
  for (let at = cause.parent; at !== undefined; at = at.parent) if (at === node) return true;
  return false;
}

function failureOf(node: TreeNode, alike: RootCause['alike']): string {
  const { span } = node;
  const where = operationOf(span) || 'an unnamed operation';
  const took = `after ${rounded(span.durationMs)} ms`;
  const how = [span.status > 0 ? `status ${span.status}` : '', span.error ?? ''].filter(Boolean).join(', ');
  if (OWN_WORK.has(span.kind)) {
    const place = placeOf(node) || where;
    if (span.failed) return `${serviceName(node)} failed at ${place} (${how}) ${took}.`;
    if (alike)
      return `${alike.count} times ${where} took ${serviceName(node)} ${rounded(alike.ms)} ms, longer than its caller waited.`;
    if (isHeard(node)) return `${serviceName(node)} answered ${span.status} at ${place}.`;
    return `${serviceName(node)} took ${rounded(span.durationMs)} ms at ${place}, longer than its caller waited.`;
  }
  const whose = `${targetOf(node)}, called by ${serviceName(node)}`;
  if (!span.failed) {
    if (alike)
      return `${whose} ${alike.count} times at ${where}, took ${rounded(alike.ms)} ms, longer than the caller waited.`;
    if (span.status >= 400) return `${whose}, answered ${span.status} at ${where}.`;
    if (span.status >= 300) return `${whose}, redirected again and again at ${where} (status ${span.status}).`;
    return `${whose}, took ${rounded(span.durationMs)} ms at ${where}, longer than the caller waited.`;
  }
  if ((span.kind === 'client' || span.kind === 'query') && failureClass(span) === 'refused') {
    return `${targetOf(node)} is unreachable from ${serviceName(node)} at ${where} (${how}).`;
  }
  if (failureClass(span) === 'cut')
    return `${whose}, did not answer at ${where} within ${rounded(span.durationMs)} ms.`;
  return `${whose}, failed at ${where} (${how}) ${took}.`;
}

// Whether a caller was told of a refusal, rather than having given up before.
function isHeard({ span, parent }: TreeNode): boolean {
  return span.status >= 400 && parent?.span.kind === 'client' && parent.span.status === span.status;
}

function serviceName({ span }: TreeNode): string {
  return span.service || 'An unnamed service';
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
