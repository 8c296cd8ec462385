import { counted } from './counted.js';
import type { RootCause } from './root-cause.js';
import type { TreeNode } from './span-tree.js';

/** The failure of a trace in one or two sentences, for people and agents. */
export function summaryOf({ node, derived }: RootCause): string {
  const { span } = node;
  const where = [span.method, span.route].filter(Boolean).join(' ');
  const how = [span.status > 0 ? `status ${span.status}` : '', span.error ?? ''].filter(Boolean).join(', ');
  const failure = `${serviceName(node)} failed at ${where || 'an unnamed operation'} (${how}) after ${rounded(span.durationMs)} ms.`;
  const affected = [...new Set([...derived.keys()].map(({ span: { service } }) => service))]
    .filter((service) => service !== span.service && service !== '')
    .sort();
  if (affected.length === 0) return failure;
  return `${failure} ${counted(affected.length, 'service')} affected by it: ${affected.join(', ')}.`;
}

function serviceName({ span }: TreeNode): string {
  return span.service || 'An unnamed service';
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
