import { leastBy, mostBy } from '../../../../kernel/values/index.js';
import type { TreeNode } from '../span-tree.js';
import { answersOf, endOf, runsAt, workOf } from './steps.js';

/** Share of the time that a part has to take to explain the whole. */
const MOST = 0.5;

/** The span on which time was spent. */
export interface Waited {
  readonly node: TreeNode;
  /** Present if the span is the first of many similar short spans: their number and total duration in milliseconds. */
  readonly alike?: Alike;
  /** Present if a call of the span was open for much longer than its callee was at work. */
  readonly gap?: Gap | undefined;
}

export interface Alike {
  readonly count: number;
  readonly ms: number;
}

/** A call that took much longer than the callee's own span: its time passed at the caller, or on the way. */
export interface Gap {
  readonly call: TreeNode;
  readonly answer: TreeNode;
}

/** @param at - milliseconds, on aligned clocks: what came later does not count */
export function gapOf(call: TreeNode, at: number): Gap | undefined {
  const end = Math.min(at, endOf(call));
  const answer = mostBy(answersOf(call), (each) => overlap(each, call.start, end));
  const isShort = answer && overlap(answer, call.start, end) <= (end - call.start) * (1 - MOST);
  return isShort ? { call, answer } : undefined;
}

/**
 * The innermost span that a piece of work was waiting for at a point in time: a query, a call to an untraced service, or the service
 * itself.
 *
 * @param at - milliseconds, on aligned clocks
 */
export function whatItWaitedFor(work: TreeNode, at: number): Waited {
  let on = work;
  for (;;) {
    const waited = at - on.start;
    const open = partsOf(on).filter((part) => isOpen(part, at));
    const longest = leastBy(open, ({ start }) => start);
    const gap = longest === undefined ? gapOf(on, at) : undefined;
    if (longest === undefined) return { node: (gap && workOf(on)) ?? on, gap };
    // A short step was running only by chance: the time was spent on the many steps like it.
    if (at - longest.start < waited * MOST) return mostlyAlike(on, on.start, at) ?? { node: on };
    on = longest;
  }
}

// Frameworks end the span of a handler when the client leaves; what the handler waits for goes on.
function isOpen(part: TreeNode, at: number): boolean {
  return runsAt(part, at) || (part.span.kind === 'internal' && part.children.some((below) => isOpen(below, at)));
}

/** Where the time of a trace went in which nothing failed: the lowest span that took most of the time of each one above it. */
export function slowestOf(root: TreeNode): TreeNode {
  let on = root;
  for (;;) {
    const { start } = on;
    const end = endOf(on);
    const parts = partsOf(on);
    const last = mostBy(parts, endOf);
    const longest = mostBy(parts, ({ span }) => span.durationMs);
    // Of parallel parts, the one that ended last was waited for.
    const next = [last, longest].find((part) => part && overlap(part, start, end) >= (end - start) * MOST);
    if (next === undefined) return mostlyAlike(on, start, end)?.node ?? on;
    on = next;
  }
}

// The parts of a call are the callee's own spans; those of other work are its children.
function partsOf(node: TreeNode): readonly TreeNode[] {
  const answers = answersOf(node);
  return node.span.kind === 'client' ? answers : node.children.filter(({ span }) => span.kind !== 'consumer');
}

function overlap(part: TreeNode, from: number, to: number): number {
  return Math.max(0, Math.min(endOf(part), to) - Math.max(part.start, from));
}

// Many similar short steps, such as a query per row, that together took most of the time; the first stands for all.
function mostlyAlike(work: TreeNode, from: number, to: number): Waited | undefined {
  const sums = new Map<string, { readonly node: TreeNode; count: number; ms: number }>();
  for (const part of partsOf(work)) {
    const took = overlap(part, from, to);
    if (took === 0) continue;
    const key = `${part.span.kind}\0${part.span.method}\0${part.span.route}`;
    const known = sums.get(key) ?? { node: part, count: 0, ms: 0 };
    known.count++;
    known.ms += took;
    sums.set(key, known);
  }
  const most = mostBy(sums.values(), ({ ms }) => ms);
  if (most === undefined || most.ms < (to - from) * MOST) return undefined;
  return { node: most.node, ...(most.count > 1 && { alike: { count: most.count, ms: most.ms } }) };
}
