import type { TreeNode } from '../span-tree.js';
import { answersOf, endOf, runsAt } from './steps.js';

/** Share of the time from which on a part explains the whole. */
const MOST = 0.5;

/**
 * What a piece of work was waiting for at a point in time, as far down as it goes: the statement, the call out of sight, the service itself.
 *
 * @param at - milliseconds, on aligned clocks
 */
export function whatItWaitedFor(work: TreeNode, at: number): TreeNode {
  let on = work;
  for (;;) {
    const waited = at - on.start;
    const open = partsOf(on).filter((part) => runsAt(part, at));
    const longest = open.reduce<TreeNode | undefined>(
      (long, part) => (long && long.start <= part.start ? long : part),
      undefined,
    );
    if (longest === undefined) return on;
    // One of many short steps was under way by chance; the time went where the steps like it took it.
    if (at - longest.start < waited * MOST) return mostlyAlike(on, on.start, at) ?? on;
    on = longest;
  }
}

/** Where the time of a trace went in which nothing failed: the lowest span that took most of the time of each one above it. */
export function slowestOf(root: TreeNode): TreeNode {
  let on = root;
  for (;;) {
    const { start } = on;
    const end = endOf(on);
    const parts = partsOf(on);
    const last = parts.reduce<TreeNode | undefined>(
      (late, part) => (late && endOf(late) >= endOf(part) ? late : part),
      undefined,
    );
    const longest = parts.reduce<TreeNode | undefined>(
      (long, part) => (long && long.span.durationMs >= part.span.durationMs ? long : part),
      undefined,
    );
    // Of parts that ran together, the one that ended last is the one that was waited for.
    const next = [last, longest].find((part) => part && overlap(part, start, end) >= (end - start) * MOST);
    if (next === undefined) return mostlyAlike(on, start, end) ?? on;
    on = next;
  }
}

// A call is answered by the callee's own span: as long as both take the same time, the callee is where it went.
function partsOf(node: TreeNode): readonly TreeNode[] {
  const answers = answersOf(node);
  return node.span.kind === 'client' ? answers : node.children.filter(({ span }) => span.kind !== 'consumer');
}

function overlap(part: TreeNode, from: number, to: number): number {
  return Math.max(0, Math.min(endOf(part), to) - Math.max(part.start, from));
}

// A query per row: each is quick, together they are where the time went. The first stands for all.
function mostlyAlike(work: TreeNode, from: number, to: number): TreeNode | undefined {
  const sums = new Map<string, { readonly first: TreeNode; sum: number }>();
  for (const part of partsOf(work)) {
    const key = `${part.span.kind}\0${part.span.method}\0${part.span.route}`;
    const known = sums.get(key);
    if (known) known.sum += overlap(part, from, to);
    else sums.set(key, { first: part, sum: overlap(part, from, to) });
  }
  const [most] = [...sums.values()].sort((a, b) => b.sum - a.sum);
  return most && most.sum >= (to - from) * MOST ? most.first : undefined;
}
