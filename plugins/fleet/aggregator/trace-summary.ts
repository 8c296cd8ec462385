import { counted } from './counted.js';
import { failureClass, type RootCause, targetOf } from './root-cause/index.js';
import type { TreeNode } from './span-tree.js';

/** The failure of a trace in one or two sentences, for people and agents. */
export function summaryOf({ node, confidence, derived }: RootCause): string {
  const failure = failureOf(node);
  const culprit = node.span.kind === 'server' ? node.span.service : '';
  const affected = [
    ...new Set([...derived.keys()].filter((each) => isAffected(each, node)).map(({ span }) => span.service)),
  ]
    .filter((service) => service !== culprit && service !== '')
    .sort();
  const doubt = confidence === 'unsure' ? 'Cannot tell for sure; the best guess: ' : '';
  if (affected.length === 0) return doubt + failure;
  return `${doubt}${failure} ${counted(affected.length, 'service')} affected by it: ${affected.join(', ')}.`;
}

// Callers, direct or through others, whose own requests failed for it.
function isAffected(node: TreeNode, cause: TreeNode): boolean {
  if (node.span.kind !== 'server' && node.span.kind !== 'consumer') return false;
  for (let at = cause.parent; at !== undefined; at = at.parent) if (at === node) return true;
  return false;
}

function failureOf(node: TreeNode): string {
  const { span } = node;
  const where = [span.method, span.route].filter(Boolean).join(' ') || 'an unnamed operation';
  const took = `after ${rounded(span.durationMs)} ms`;
  const how = [span.status > 0 ? `status ${span.status}` : '', span.error ?? ''].filter(Boolean).join(', ');
  if (span.kind === 'server') {
    if (span.failed) return `${serviceName(node)} failed at ${where} (${how}) ${took}.`;
    return `${serviceName(node)} took ${rounded(span.durationMs)} ms at ${where}, longer than its caller waited.`;
  }
  const whose = `${targetOf(node)}, called by ${serviceName(node)}`;
  if (!span.failed) return `${whose}, took ${rounded(span.durationMs)} ms at ${where}, longer than the caller waited.`;
  if (span.kind === 'client' && failureClass(span) === 'refused') {
    return `${targetOf(node)} is unreachable from ${serviceName(node)} at ${where} (${how}).`;
  }
  if (span.kind === 'internal' || span.kind === 'consumer' || span.kind === 'event') {
    return `${serviceName(node)} failed at ${where} (${how}) ${took}.`;
  }
  return `${whose}, failed at ${where} (${how}) ${took}.`;
}

function serviceName({ span }: TreeNode): string {
  return span.service || 'An unnamed service';
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
