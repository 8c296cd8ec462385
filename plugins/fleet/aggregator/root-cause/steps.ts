import type { TreeNode } from '../span-tree.js';

/** Clocks of one process resolve better than this, in milliseconds. */
const TOLERANCE = 0.05;

/** Statements that clean up after a failure, and say nothing about whether it was survived. */
const CLEANING = /^(?:ROLLBACK|RELEASE|SAVEPOINT|COMMIT|END|ABORT)$/;
/** What is written down about a failure before it is answered. */
const NOTING: ReadonlySet<string> = new Set(['producer', 'event']);

/** One thing that a piece of work did, with the further attempts at it: a retry, or the same asked of somebody else. */
export interface Step {
  /** Oldest first; never empty. */
  readonly attempts: readonly TreeNode[];
  readonly start: number;
  readonly end: number;
  /** Whether the last attempt failed. */
  readonly failed: boolean;
}

/** When a span ended, on aligned clocks. */
export function endOf({ start, span }: TreeNode): number {
  return start + span.durationMs;
}

/** The steps of a piece of work, in the order of their first attempts. What handles its messages later is none of them. */
export function stepsOf(work: TreeNode): readonly Step[] {
  const nodes = work.children.filter(({ span }) => span.kind !== 'consumer').sort(byStart);
  const groups: TreeNode[][] = [];
  for (const node of nodes) {
    const group = groups.findLast((each) => isAttemptAfter(each.at(-1) as TreeNode, node));
    if (group) group.push(node);
    else groups.push([node]);
  }
  return groups.map(stepOf);
}

function byStart(a: TreeNode, b: TreeNode): number {
  return a.start - b.start || endOf(a) - endOf(b) || (a.span.spanId < b.span.spanId ? -1 : 1);
}

function stepOf(attempts: readonly TreeNode[]): Step {
  const last = attempts.at(-1) as TreeNode;
  return {
    attempts,
    start: (attempts[0] as TreeNode).start,
    end: endOf(last),
    failed: last.span.failed,
  };
}

// Whom it is asked of makes no difference: a fallback asks somebody else for the same.
function isAttemptAfter(before: TreeNode, node: TreeNode): boolean {
  const [a, b] = [before.span, node.span];
  if (!a.failed || a.kind !== b.kind || a.method !== b.method || a.route !== b.route) return false;
  return node.start >= endOf(before) - TOLERANCE;
}

/** Whether one step began after another had ended. */
export function isAfter(step: Step, other: Step): boolean {
  return step !== other && step.start >= other.end - TOLERANCE;
}

/** Whether the work went on after a step had failed: it did something else, and not only cleaned up or noted the failure. */
export function wentOnAfter(step: Step, steps: readonly Step[]): boolean {
  return steps.some((other) => {
    const { kind, method } = (other.attempts[0] as TreeNode).span;
    return isAfter(other, step) && !CLEANING.test(method) && !NOTING.has(kind);
  });
}

/** Whether a span was still open at a point in time. */
export function runsAt(node: TreeNode, at: number): boolean {
  return node.start < at && endOf(node) > at + TOLERANCE;
}

/** The server spans that answer a call. */
export function answersOf(call: TreeNode): readonly TreeNode[] {
  return call.children.filter(({ span }) => span.kind === 'server');
}
