import type { SpanTree, TreeNode } from './span-tree.js';

/** What is said about the failures of a trace. */
export interface RootCause {
  readonly node: TreeNode;
  /** Why this one, in a sentence. */
  readonly reason: string;
  /** Every other failure, with why it is taken as a consequence. */
  readonly derived: ReadonlyMap<TreeNode, string>;
}

/**
 * The one failure that explains the others: among failed spans without a failed descendant, the one that ended first, on
 * clocks aligned along the tree (SPEC "Fleet operations", rule 6). Ties go to the earlier start, then to the smaller id.
 *
 * @returns undefined when nothing failed
 */
export function rootCauseOf({ nodes }: SpanTree): RootCause | undefined {
  const failed = nodes.filter(({ span }) => span.failed);
  if (failed.length === 0) return undefined;
  const above = withFailedDescendant(nodes);
  const origins = failed.filter((node) => !above.has(node)).sort(byEnd);
  const node = origins[0] as TreeNode;
  const others = failed.filter((each) => each !== node);
  return {
    node,
    reason: reasonOf(node, origins, others),
    derived: new Map(others.map((each) => [each, derivation(each, node)])),
  };
}

// Children come after their parents in the list, so walking it backwards visits every child first.
function withFailedDescendant(nodes: readonly TreeNode[]): ReadonlySet<TreeNode> {
  const above = new Set<TreeNode>();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as TreeNode;
    if (node.parent && (node.span.failed || above.has(node))) above.add(node.parent);
  }
  return above;
}

function endOf({ start, span }: TreeNode): number {
  return start + span.durationMs;
}

function byEnd(a: TreeNode, b: TreeNode): number {
  return endOf(a) - endOf(b) || a.start - b.start || (a.span.spanId < b.span.spanId ? -1 : 1);
}

function reasonOf(node: TreeNode, origins: readonly TreeNode[], others: readonly TreeNode[]): string {
  if (others.length === 0) return 'It is the only failure of the trace.';
  if (origins.length === 1)
    return 'Nothing that it called failed, and every other failure lies above it in the call chain.';
  const next = origins[1] as TreeNode;
  const gap = millisecondsText(endOf(next) - endOf(node));
  return `Nothing that it called failed, and it failed first: ${gap} before ${nameOf(next)}.`;
}

function derivation(node: TreeNode, cause: TreeNode): string {
  if (isAncestor(node, cause)) return `It called ${nameOf(cause)}, directly or through others, which failed.`;
  const gap = millisecondsText(endOf(node) - endOf(cause));
  return `It failed ${gap} after ${nameOf(cause)}, in another branch of the same trace.`;
}

function isAncestor(node: TreeNode, of: TreeNode): boolean {
  for (let at = of.parent; at !== undefined; at = at.parent) if (at === node) return true;
  return false;
}

function nameOf({ span }: TreeNode): string {
  return span.service || 'an unnamed service';
}

function millisecondsText(ms: number): string {
  return `${Math.max(0, Math.round(ms * 100) / 100)} ms`;
}
