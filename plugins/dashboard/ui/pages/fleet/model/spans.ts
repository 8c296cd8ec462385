import type { SpanNode, Trace } from '../../../../wire/fleet.js';
import { sinceMs } from './nanoseconds.js';

/** What a span says about the failure of its trace. */
type Mark = 'cause' | 'derived' | 'ok';

/** A span of the open trace with its place in the tree and in time. */
export interface SpanView {
  readonly node: SpanNode;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly depth: number;
  /** Milliseconds from the beginning of the trace, on clocks aligned along the tree. */
  readonly start: number;
  readonly end: number;
  readonly childCount: number;
  /** Spans below it, at any depth. */
  readonly descendants: number;
  /** The service that called; empty when the call came from outside of the traced services. */
  readonly caller: string;
  readonly mark: Mark;
}

/** The open trace as the page draws it. */
export interface TraceView {
  readonly trace: Trace;
  /** Depth first, children by their start. */
  readonly spans: readonly SpanView[];
  readonly byId: ReadonlyMap<string, SpanView>;
  /** Milliseconds from the first start to the last end. */
  readonly duration: number;
  /** The one span that explains the failure. */
  readonly cause: SpanView | undefined;
}

interface Draft {
  readonly node: SpanNode;
  readonly parent: Draft | undefined;
  readonly depth: number;
  readonly start: number;
  readonly children: Draft[];
  descendants: number;
}

/**
 * Puts the spans of a trace in order. A child cannot begin before its caller: where two clocks disagree it is moved as far as
 * needed, as the aggregator does when it looks for the cause; such spans are `skewed`.
 */
export function viewTrace(trace: Trace): TraceView {
  const drafts = draftsOf(trace);
  const first = drafts.reduce((least, { start }) => Math.min(least, start), Infinity);
  const spans = inOrder(drafts).map((draft) => viewOf(draft, drafts.length > 0 ? first : 0));
  const byId = new Map(spans.map((span) => [span.id, span]));
  const duration = spans.reduce((latest, { end }) => Math.max(latest, end), 0);
  return { trace, spans, byId, duration, cause: spans.find(({ mark }) => mark === 'cause') };
}

// Parents before children, in a loop: a trace may be one chain of hundreds. Rows go by their id, so of two spans with one id the second is
// left out.
function draftsOf({ roots, start_ns: origin }: Trace): Draft[] {
  const seen = new Set<string>();
  const isNew = ({ span_id: id }: SpanNode) => seen.size < seen.add(id).size;
  const drafts = roots.filter(isNew).map((node) => draft(node, undefined, sinceMs(node.start_ns, origin)));
  for (let at = 0; at < drafts.length; at++) {
    const parent = drafts[at] as Draft;
    for (const node of (parent.node.children ?? []).filter(isNew)) {
      const child = draft(node, parent, aligned(node, parent, sinceMs(node.start_ns, origin)));
      parent.children.push(child);
      drafts.push(child);
    }
  }
  for (let at = drafts.length - 1; at >= 0; at--) {
    const { parent, descendants } = drafts[at] as Draft;
    if (parent) parent.descendants += descendants + 1;
  }
  return drafts;
}

function draft(node: SpanNode, parent: Draft | undefined, start: number): Draft {
  return { node, parent, depth: parent ? parent.depth + 1 : 0, start, children: [], descendants: 0 };
}

function aligned(node: SpanNode, parent: Draft, start: number): number {
  const latest = Math.max(parent.start, parent.start + parent.node.duration_ms - node.duration_ms);
  return Math.min(Math.max(start, parent.start), latest);
}

function inOrder(drafts: readonly Draft[]): readonly Draft[] {
  const byStart = (a: Draft, b: Draft) => a.start - b.start || (a.node.span_id < b.node.span_id ? -1 : 1);
  const ordered: Draft[] = [];
  const stack = drafts.filter(({ parent }) => parent === undefined).sort((a, b) => byStart(b, a));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    ordered.push(next);
    stack.push(...next.children.sort((a, b) => byStart(b, a)));
  }
  return ordered;
}

function viewOf({ node, parent, depth, start, children, descendants }: Draft, first: number): SpanView {
  return {
    node,
    id: node.span_id,
    parentId: parent?.node.span_id,
    depth,
    start: start - first,
    end: start - first + Math.max(0, node.duration_ms),
    childCount: children.length,
    descendants,
    caller: parent?.node.service ?? '',
    mark: node.root_cause ? 'cause' : node.derived_error ? 'derived' : 'ok',
  };
}

/** Whether a span failed, as the aggregator judges it. */
export function hasFailed({ status, error }: Pick<SpanNode, 'status' | 'error'>): boolean {
  return status >= 500 || error !== undefined;
}
