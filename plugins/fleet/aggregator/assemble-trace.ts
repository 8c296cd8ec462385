import type { SpanNode, Trace } from '../../../kernel/contracts/fleet-wire.js';
import { leastBy, mostBy } from '../../../kernel/values/index.js';
import { endOf, hasFailed, type RootCause, rootCauseOf, slowestSpanOf } from './root-cause/index.js';
import { buildTree, type PeerOf, type SpanTree, type TreeNode } from './span-tree.js';
import { recordOf, startNanoseconds, type StoredSpan } from './stored-span.js';
import type { StoredTrace } from './stored-trace.js';
import { summaryOf } from './trace-summary.js';

/** Puts the spans of a trace together. The result depends on the spans and the known addresses, not on the order in which they arrived. */
export function assembleTrace(trace: StoredTrace, peerOf?: PeerOf): Trace {
  const { traceId, spans, dropped, firstSeen } = trace;
  const tree = buildTree(spans, peerOf);
  const cause = rootCauseOf(tree);
  const failed = hasFailed(spans, () => tree);
  const slowest = failed ? undefined : slowestSpanOf(tree);
  return {
    trace_id: traceId,
    roots: nested(traceId, tree, cause),
    ...alignedExtent(tree),
    services: servicesOf(spans),
    span_count: tree.nodes.length,
    has_error: failed,
    status: tree.roots[0]?.span.status ?? 0,
    skew_flagged: tree.nodes.some(({ skewed }) => skewed),
    orphan_count: tree.nodes.filter(({ orphan }) => orphan).length,
    ...(dropped > 0 && { spans_dropped: dropped }),
    ...(cause && {
      root_cause_span_id: cause.node.span.spanId,
      root_cause_reason: cause.reason,
      root_cause_confidence: cause.confidence,
      root_cause_evidence: cause.evidence,
      summary: summaryOf(cause),
    }),
    ...(slowest && { slowest_span_id: slowest.span.spanId }),
    first_seen_ns: `${Math.floor(firstSeen)}000000`,
  };
}

/** Names of the services of some spans, sorted, each once. */
export function servicesOf(spans: readonly StoredSpan[]): readonly string[] {
  return [...new Set(spans.map(({ service }) => service))].sort();
}

// Duration on aligned clocks, so that clock differences between services do not count. The start is that of the earliest root.
function alignedExtent({ roots, nodes }: SpanTree) {
  const [first, last] = [leastBy(roots, ({ start }) => start), mostBy(nodes, endOf)];
  return first && last ? extent(first.span, endOf(last) - first.start) : NOWHEN;
}

/** First start and length of some spans, by the wall clock. */
export function extentOf(spans: readonly StoredSpan[]): { readonly start_ns: string; readonly duration_ms: number } {
  const [first, last] = [leastBy(spans, ({ start }) => start), mostBy(spans, ({ end }) => end)];
  return first && last ? extent(first, last.end - first.start) : NOWHEN;
}

const NOWHEN = { start_ns: '0', duration_ms: 0 };

function extent(first: StoredSpan, ms: number) {
  return { start_ns: startNanoseconds(first), duration_ms: Math.round(ms * 1000) / 1000 };
}

// Iterative, from the leaves up: a chain of hundreds of spans must not need as many stack frames.
function nested(traceId: string, { roots, nodes }: SpanTree, cause: RootCause | undefined): SpanNode[] {
  const made = new Map<TreeNode, SpanNode>();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as TreeNode;
    const children = node.children.map((child) => made.get(child) as SpanNode);
    made.set(node, {
      ...recordOf(traceId, node.span),
      ...marksOf(node, cause),
      ...(children.length > 0 && { children }),
    });
  }
  return roots.map((root) => made.get(root) as SpanNode);
}

function marksOf(node: TreeNode, cause: RootCause | undefined) {
  const derived = cause?.derived.get(node);
  const independent = cause?.independent.get(node);
  return {
    ...(node.orphan && { orphan: true }),
    ...(node.skewed && { skewed: true }),
    ...(node.peer !== undefined && { peer_service: node.peer }),
    ...(cause?.node === node && { root_cause: true, reason: cause.reason }),
    ...(derived !== undefined && { derived_error: true, reason: derived }),
    ...(independent !== undefined && { independent_error: true, reason: independent }),
  };
}
