import { byText } from '../../../../kernel/values/index.js';
import { isUndeclaredAnswer } from '../undeclared-answer.js';
import type { TreeNode } from '../span-tree.js';

/** Tolerance for times of one process, in milliseconds. */
const TOLERANCE = 0.05;

/** Milliseconds within which several cut calls count as cut at the same time. */
export const AT_ONCE = 20;

/** Statements that clean up after a failure; they do not mean that it was survived. */
const CLEANING = /^(?:ROLLBACK|RELEASE|SAVEPOINT|COMMIT|END|ABORT)$/;
/** Methods that make something, and words in a path that take it back. */
const MAKING = /^(?:POST|PUT|PATCH)$/;
const TAKING_BACK = /\b(?:cancel|compensat|refund|releas|revert|rollback|revok|undo|unlock|void)/i;
/** Statuses that send a client elsewhere. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Redirects in a row from which on nobody follows: clients give up after 10 to 30. */
const LOOP = 10;
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
    .filter((node) => node.span.kind !== 'consumer' && !isConnection(node, work.children) && !isFrame(node))
    .flatMap((node) => (isLayer(node) && node.children.length > 0 ? partsOf(node) : [node]));
}

// A connection belongs to the call that it was made for, which tells how it ended; one that was opened does not tell that the work went on.
function isConnection({ span, start }: TreeNode, beside: readonly TreeNode[]): boolean {
  if (span.kind !== 'internal' || span.attribute('server.address') === undefined) return false;
  return !span.failed || beside.some((call) => call.span.kind === 'client' && call.span.failed && endOf(call) >= start);
}

/** Attributes by which instrumentations of frameworks tell their spans of middlewares, handlers and hooks from others. */
const FRAMES = [
  'express.type', 'router.type', 'koa.type', 'fastify.type', 'connect.type', 'hapi.type', 'restify.type', 'nestjs.type',
]; // prettier-ignore

// A middleware that called nothing is no step: the one that answers for an error runs behind the failure, which it has not survived.
function isFrame(node: TreeNode): boolean {
  return isLayer(node) && node.children.length === 0 && FRAMES.some((name) => node.span.attribute(name) !== undefined);
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
  return a.start - b.start || endOf(a) - endOf(b) || byText(a.span.spanId, b.span.spanId);
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
  if (!before.span.failed || !isSameOperation(before, node)) return false;
  return node.start >= endOf(before) - TOLERANCE;
}

/** Whether one step began after another had ended. */
export function isAfter(step: Step, other: Step): boolean {
  return step !== other && step.start >= other.end - TOLERANCE;
}

/** Whether the work continued after a failed step with another one that does more than clean up, take back or report. */
export function wentOnAfter(step: Step, steps: readonly Step[]): boolean {
  return steps.some((other) => {
    const { kind, method } = (other.attempts[0] as TreeNode).span;
    return isAfter(other, step) && !CLEANING.test(method) && !NOTING.has(kind) && !takesBack(other, step, steps);
  });
}

/**
 * Whether a step was given up because another one of the same operation, which began while it ran, had answered: the slower of two hedged
 * requests.
 */
export function isOvertaken(step: Step, steps: readonly Step[]): boolean {
  const slower = step.attempts.at(-1) as TreeNode;
  return steps.some((other) => {
    const isSame = isSameOperation(other.attempts.at(-1) as TreeNode, slower);
    const isMeanwhile = other.start < step.end && other.end > step.start && Math.abs(other.end - step.end) <= AT_ONCE;
    return other !== step && isSame && !other.failed && isMeanwhile;
  });
}

/**
 * Whether an attempt of a step failed that may have been no attempt, but one of a list: the same was done before or after it as well, which
 * nobody does again that went well.
 */
export function isOneOfMany(step: Step, steps: readonly Step[]): boolean {
  const [first] = step.attempts as [TreeNode];
  return (
    first.span.failed && steps.some((other) => other !== step && isSameOperation(other.attempts[0] as TreeNode, first))
  );
}

/** The first of a row of redirects at the end of a piece of work that is too long to lead anywhere; undefined without one. */
export function redirectLoop(steps: readonly Step[]): TreeNode | undefined {
  const calls = steps.map(({ attempts }) => attempts.at(-1) as TreeNode);
  const row = calls.slice(calls.findLastIndex((call) => !isRedirected(call)) + 1);
  return row.length >= LOOP ? row[0] : undefined;
}

function isRedirected({ span }: TreeNode): boolean {
  return span.kind === 'client' && REDIRECTS.has(span.status);
}

function isSameOperation({ span: a }: TreeNode, { span: b }: TreeNode): boolean {
  return a.kind === b.kind && a.method === b.method && a.route === b.route;
}

// The steps before the failed one are undone where they were made, as sagas do it.
function takesBack(later: Step, failed: Step, steps: readonly Step[]): boolean {
  const { span } = later.attempts[0] as TreeNode;
  if (span.kind !== 'client' || !(span.method === 'DELETE' || TAKING_BACK.test(span.route))) return false;
  return steps.some((made) => {
    const first = made.attempts[0] as TreeNode;
    return !made.failed && MAKING.test(first.span.method) && isAfter(failed, made) && isSameTarget(first.span, span);
  });
}

function isSameTarget(one: TreeNode['span'], other: TreeNode['span']): boolean {
  return ['server.address', 'server.port'].every((name) => one.attribute(name) === other.attribute(name));
}

/** Whether a span was still open at a point in time. */
export function runsAt(node: TreeNode, at: number): boolean {
  return node.start < at && endOf(node) > at + TOLERANCE;
}

/** The spans of the callee that answer a call, also where it is made by further calls. */
export function answersOf(call: TreeNode): readonly TreeNode[] {
  const answers = call.children.filter((node) => isAnswer(call, node));
  return answers.length > 0 ? answers : partsOf(call).filter(isCall).flatMap(answersOf);
}

function isAnswer(call: TreeNode, { span }: TreeNode): boolean {
  return span.kind === 'server' || (span.kind === 'internal' && isUndeclaredAnswer(call.span, span));
}

/** The calls by which a call is made: those of the library that a client uses, or of a proxy beside the service. */
export function callsWithin(call: TreeNode): readonly Step[] {
  return stepsOf(call).filter(({ attempts }) => isCall(attempts[0] as TreeNode));
}

function isCall({ span }: TreeNode): boolean {
  return span.kind === 'client';
}
