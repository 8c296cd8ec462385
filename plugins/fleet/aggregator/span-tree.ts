import { byText } from '../../../kernel/values/index.js';
import { parentOf } from './shared-id.js';
import type { StoredSpan } from './stored-span.js';

/** A span in its tree. */
export interface TreeNode {
  readonly span: StoredSpan;
  readonly children: TreeNode[];
  parent: TreeNode | undefined;
  /** Its parent never arrived, is itself, or was cut to break a cycle. */
  orphan: boolean;
  /** It begins before its parent, because two clocks differ. */
  skewed: boolean;
  /** Start on the clock of the trace's first span, in milliseconds. */
  start: number;
  /** The target service of a call, if it is known without its answer. */
  readonly peer: string | undefined;
}

/** Finds the service at the target address of a call. */
export type PeerOf = (call: StoredSpan) => string | undefined;

/** Milliseconds after the end of its caller's request from which a request counts as one with a fast clock. */
const LATE_MS = 60_000;

/** The spans of a trace as trees. Depends on the set of spans only, not on their order. */
export interface SpanTree {
  readonly roots: readonly TreeNode[];
  /** Every node, parents before children. */
  readonly nodes: readonly TreeNode[];
}

/** Links spans to their parents. Loops, not recursion: a trace may be one chain of hundreds. */
export function buildTree(spans: readonly StoredSpan[], peerOf: PeerOf = () => undefined): SpanTree {
  const sorted = [...spans].sort(byStart);
  const byId = new Map<string, TreeNode>();
  for (const span of sorted) if (!byId.has(span.spanId)) byId.set(span.spanId, nodeOf(span, peerOf));
  const roots: TreeNode[] = [];
  for (const node of byId.values()) link(node, byId, roots);
  const nodes = walk(roots);
  breakCircles(byId, roots, nodes);
  for (const node of nodes) alignToParent(node);
  return { roots, nodes };
}

/** Order of spans: by start, then by id, so that equal starts have an order too. */
export function byStart(a: StoredSpan, b: StoredSpan): number {
  return byInstant(a, b) || byText(a.spanId, b.spanId);
}

function nodeOf(span: StoredSpan, peerOf: PeerOf): TreeNode {
  const peer = span.kind === 'client' ? peerOf(span) : undefined;
  return { span, children: [], parent: undefined, orphan: false, skewed: false, start: span.start, peer };
}

function link(node: TreeNode, byId: ReadonlyMap<string, TreeNode>, roots: TreeNode[]): void {
  const above = parentOf(node.span, (id) => byId.get(id)?.span);
  const parent = above && byId.get(above.spanId);
  if (parent) {
    node.parent = parent;
    parent.children.push(node);
    return;
  }
  node.orphan = node.span.parentId !== undefined;
  roots.push(node);
}

function walk(roots: readonly TreeNode[]): TreeNode[] {
  const nodes = [...roots];
  for (let at = 0; at < nodes.length; at++) nodes.push(...(nodes[at] as TreeNode).children);
  return nodes;
}

// Spans that no root leads to form a cycle with descendants. The cycle is cut at its earliest member, which becomes an orphan root.
function breakCircles(byId: ReadonlyMap<string, TreeNode>, roots: TreeNode[], nodes: TreeNode[]): void {
  const reached = new Set(nodes);
  for (const node of byId.values()) {
    if (reached.has(node)) continue;
    const cut = earliestOfCircle(node);
    const parent = cut.parent as TreeNode;
    parent.children.splice(parent.children.indexOf(cut), 1);
    cut.parent = undefined;
    cut.orphan = true;
    roots.push(cut);
    for (const each of walk([cut])) {
      reached.add(each);
      nodes.push(each);
    }
  }
}

function earliestOfCircle(node: TreeNode): TreeNode {
  const seen = new Set<TreeNode>();
  let at = node;
  while (!seen.has(at)) {
    seen.add(at);
    at = at.parent as TreeNode;
  }
  let earliest = at;
  for (let on = at.parent as TreeNode; on !== at; on = on.parent as TreeNode) {
    if (byStart(on.span, earliest.span) < 0) earliest = on;
  }
  return earliest;
}

/**
 * Moves a request onto the clock of its caller if the two differ: it cannot begin before the call, nor after its end. The other spans of
 * the callee's process are moved with it.
 */
function alignToParent(node: TreeNode): void {
  const { parent, span } = node;
  if (parent === undefined) return;
  const shift = parent.start - parent.span.start;
  const isOtherProcess = span.kind === 'server' || span.kind === 'consumer' || span.service !== parent.span.service;
  if (!isOtherProcess) {
    node.start = span.start + shift;
    return;
  }
  node.skewed = byInstant(span, parent.span) < 0;
  const parentEnd = parent.start + parent.span.durationMs;
  const isLate = span.kind === 'server' && span.start > parentEnd + (parent.span.kind === 'client' ? 0 : LATE_MS);
  if (span.start >= parent.start && !isLate) return;
  const latest = Math.max(parent.start, parentEnd - span.durationMs);
  node.start = Math.min(Math.max(span.start, parent.start), latest);
}

function byInstant(a: StoredSpan, b: StoredSpan): number {
  return a.startMs - b.startMs || a.startNs - b.startNs;
}
