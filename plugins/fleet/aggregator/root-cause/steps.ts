import type { TreeNode } from '../span-tree.js';

/** Tolerance for times of one process, in milliseconds. */
const TOLERANCE = 0.05;

/** Statements that clean up after a failure; they do not mean that it was survived. */
const CLEANING = /^(?:ROLLBACK|RELEASE|SAVEPOINT|COMMIT|END|ABORT)$/;
/** Kinds of spans that report a failure before the response. */
const NOTING: ReadonlySet<string> = new Set(['producer', 'event']);

/** One step of a piece of work, with its further attempts: retries and fallbacks. */
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

/** The steps of a piece of work, in the order of their first attempts. Handlers of its messages, which run later, are no steps. */
export function stepsOf(work: TreeNode): readonly Step[] {
  const nodes = partsOf(work).sort(byStart);
  const groups: TreeNode[][] = [];
  for (const node of nodes) {
    const group = groups.findLast((each) => isAttemptAfter(each.at(-1) as TreeNode, node));
    if (group) group.push(node);
    else groups.push([node]);
  }
  return groups.map(stepOf);
}

// A layer of the framework or a named part that did not fail itself is not a step; its children are steps of the work. In Express, for
// example, calls fail below the span of a handler that answers for them.
function partsOf(work: TreeNode): TreeNode[] {
  return work.children
    .filter(({ span }) => span.kind !== 'consumer')
    .flatMap((node) => (isLayer(node) && node.children.length > 0 ? partsOf(node) : [node]));
}

/** Whether a span is only a frame around parts of a request. */
function isLayer({ span }: TreeNode): boolean {
  return span.kind === 'internal' && !span.failed;
}

/** The work that a span is part of: its nearest ancestor that is not a layer. */
export function workOf(node: TreeNode): TreeNode | undefined {
  let at = node.parent;
  while (at !== undefined && isLayer(at) && at.parent !== undefined) at = at.parent;
  return at;
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

// The target may differ: a fallback asks another service for the same.
function isAttemptAfter(before: TreeNode, node: TreeNode): boolean {
  const [a, b] = [before.span, node.span];
  if (!a.failed || a.kind !== b.kind || a.method !== b.method || a.route !== b.route) return false;
  return node.start >= endOf(before) - TOLERANCE;
}

/** Whether one step began after another had ended. */
function isAfter(step: Step, other: Step): boolean {
  return step !== other && step.start >= other.end - TOLERANCE;
}

/** Whether the work continued after a failed step with another one that does more than clean up or report. */
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
