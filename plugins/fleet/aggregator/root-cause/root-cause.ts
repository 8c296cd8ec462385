import { byText } from '../../../../kernel/values/index.js';
import type { SpanTree, TreeNode } from '../span-tree.js';
import { type Confidence, Explainer, type Explanation, nameOf, operationOf, targetOf, weaker } from './explain.js';
import type { StoredSpan } from '../stored-span.js';
import { failureClass, isAborted } from './failure-class.js';
import { type Alike, slowestOf } from './slowest.js';
import { AT_ONCE, endOf, workOf } from './steps.js';

/** Status that proxies and servers record for a client that closed its connection before the answer. */
const CLIENT_CLOSED_REQUEST = 499;
/** Earlier failures that the evidence names. */
const MOST_POSSIBLE = 3;

/** The verdict about the failures of a trace. */
export interface RootCause {
  readonly node: TreeNode;
  readonly confidence: Confidence;
  /** Why this one, in a sentence. */
  readonly reason: string;
  /** From the outcome down to the cause. */
  readonly evidence: readonly string[];
  /** Present if the cause is the first of many similar calls that together took the time. */
  readonly alike?: Alike | undefined;
  /** The span that survived the failure, so that the request succeeded. */
  readonly survivedBy?: TreeNode | undefined;
  /** Failures that are consequences, each with the reason. */
  readonly derived: ReadonlyMap<TreeNode, string>;
  /** Failures with a cause of their own, each with the reason. */
  readonly independent: ReadonlyMap<TreeNode, string>;
}

/**
 * The one failure that explains the outcome of a trace (SPEC "Fleet operations", rule 6), on clocks aligned along the calls. It explains
 * the failure of the root request; if that succeeded, a failure on the way. A failure that its caller survived is not the cause of a later
 * one, a cancelled call is never a cause, and a timeout is explained by what the callee waited for.
 *
 * @returns undefined when nothing failed, or only cancelled calls did
 */
export function rootCauseOf({ roots, nodes }: SpanTree): RootCause | undefined {
  const failed = nodes.filter(({ span }) => span.failed);
  if (failed.length === 0) return undefined;
  const orphans = roots.filter(({ orphan }) => orphan).sort((a, b) => a.start - b.start);
  const explainer = new Explainer(orphans);
  for (const outcome of outcomes(roots, nodes)) {
    const found = explainer.explain(outcome);
    if (found) return verdict(outcome, found, failed, explainer);
  }
  return undefined;
}

/** Where the time of a trace went, for traces without a failure; undefined for an empty one. */
export function slowestSpanOf({ roots }: SpanTree): TreeNode | undefined {
  const [root] = roots.toSorted((a, b) => b.span.durationMs - a.span.durationMs || byId(a, b));
  return root && slowestOf(root);
}

// Failures to explain: first those that the client saw, then those that it did not: orphans, messages, and survived failures.
function outcomes(roots: readonly TreeNode[], nodes: readonly TreeNode[]): readonly TreeNode[] {
  const rank = (node: TreeNode) => {
    if (!node.span.failed) return undefined;
    if (node.span.kind === 'consumer') return 2;
    if (node.parent === undefined) return node.orphan ? 1 : 0;
    if (endedWithItsCaller(node)) return undefined;
    const work = workOf(node);
    return work?.span.failed === true && !isLeft(work.span) ? undefined : 3;
  };
  const ranked = nodes.flatMap((node) => {
    const at = rank(node);
    return at === undefined ? [] : [{ node, at }];
  });
  // If the root request succeeded, its failures were survived, and the one that ended first ranks first; otherwise the one that began
  // first.
  const isSurvived = roots.every(({ span }) => !span.failed);
  ranked.sort(
    (a, b) =>
      a.at - b.at || (isSurvived ? endOf(a.node) - endOf(b.node) : a.node.start - b.node.start) || byId(a.node, b.node),
  );
  return ranked.map(({ node }) => node);
}

function byId(a: TreeNode, b: TreeNode): number {
  return byText(a.span.spanId, b.span.spanId);
}

function verdict(outcome: TreeNode, found: Explanation, failed: readonly TreeNode[], explainer: Explainer): RootCause {
  const { origin, alike } = found;
  const derived = new Map<TreeNode, string>();
  const independent = new Map<TreeNode, string>();
  const possible: string[] = [];
  for (const node of failed) {
    if (node === origin) continue;
    const why = derivation(node, origin, explainer);
    if (why !== undefined) derived.set(node, why);
    else if (isBefore(node, origin)) {
      independent.set(
        node,
        `Its caller went on; whether that led to the failure of ${nameOf(origin)}, the spans do not tell.`,
      );
      possible.push(nameOf(node));
    } else independent.set(node, `It has a cause of its own; ${nameOf(origin)} does not explain it.`);
  }
  const confidence = outcome.orphan ? weaker(found.confidence, 'likely') : found.confidence;
  const work = outcome.parent && outcome.span.kind !== 'consumer' ? workOf(outcome) : undefined;
  const survivedBy = work && !isLeft(work.span) ? work : undefined;
  const reason = reasonOf(origin, found, confidence, failed);
  return {
    node: origin,
    confidence,
    reason: survivedBy ? `${reason} ${nameOf(survivedBy)} went on without it.` : reason,
    evidence: [
      ...(survivedBy ? [`${nameOf(survivedBy)} went on after it`] : []),
      ...found.evidence,
      ...[...new Set(possible)]
        .slice(0, MOST_POSSIBLE)
        .map((name) => `${name} had failed before, which may have led to it`),
    ],
    derived,
    independent,
    alike,
    survivedBy,
  };
}

// Whether a failure below the same request came before the cause, which may then depend on its result.
function isBefore(node: TreeNode, origin: TreeNode): boolean {
  const work = workOf(node);
  if (work === undefined || (work !== origin && !isAncestor(work, origin))) return false;
  return work === origin || endOf(node) <= origin.start;
}

function derivation(node: TreeNode, origin: TreeNode, explainer: Explainer): string | undefined {
  if (failureClass(node.span) === 'cut') return 'It was cut off because whoever waited for it did not any longer.';
  if (isAncestor(node, origin)) return `It called ${nameOf(origin)}, directly or through others.`;
  const own = explainer.explain(node);
  if (own === undefined) return 'It was cut off because whoever waited for it did not any longer.';
  if (own.origin === origin) return `It failed for ${nameOf(origin)}.`;
  if (isCutOff(node)) return 'Its caller did not wait for it any longer.';
  if (isAlike(own.origin, origin)) return `It failed for the same reason as ${nameOf(origin)}: ${origin.span.error}.`;
  return undefined;
}

function isAncestor(node: TreeNode, of: TreeNode): boolean {
  for (let at = of.parent; at !== undefined; at = at.parent) if (at === node) return true;
  return false;
}

// Whether a span was under way when somebody above it stopped to wait, and failed at that moment: it was ended for that, whatever its
// error is called. A database says of a statement that was cancelled the same as of one that took too long. Whoever notices later says so.
function endedWithItsCaller(node: TreeNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    const left = isLeft(at.span) ? endOf(at) : undefined;
    if (left === undefined || node.start >= left) continue;
    if (Math.abs(endOf(node) - left) <= AT_ONCE || (endOf(node) > left && isAborted(node.span))) return true;
  }
  return false;
}

/** Whether whoever asked went away: the call was cut off, or the request ended with the status that proxies have for it. */
export function isLeft(span: StoredSpan): boolean {
  return span.status === CLIENT_CLOSED_REQUEST || (span.failed && failureClass(span) === 'cut');
}

function isCutOff(node: TreeNode): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (at.span.failed && failureClass(at.span) === 'cut') return true;
  return false;
}

// Whether two failures are of one database, or of one repeated call.
function isAlike(a: TreeNode, b: TreeNode): boolean {
  if (a.span.kind !== b.span.kind || a.span.error !== b.span.error) return false;
  return a.span.kind === 'server' ? isAgain(a, b) : targetOf(a) === targetOf(b);
}

// Further attempts of a call lead over the same operations to one that fails as before.
function isAgain(one: TreeNode | undefined, other: TreeNode | undefined): boolean {
  while (one !== undefined && other !== undefined && isSame(one, other)) {
    [one, other] = [one.parent, other.parent];
    if (one === other) return one !== undefined;
  }
  return false;
}

function isSame({ span: a }: TreeNode, { span: b }: TreeNode): boolean {
  const isAlike = a.service === b.service && a.kind === b.kind && operationOf(a) === operationOf(b);
  return isAlike && a.error === b.error && a.attribute('error.type') === b.attribute('error.type');
}

function reasonOf(
  origin: TreeNode,
  { evidence }: Explanation,
  confidence: Confidence,
  failed: readonly TreeNode[],
): string {
  const last = evidence.at(-1) as string;
  // Capitalises only these words: a service's name keeps its spelling.
  const known = last.replace(/^(?:nothing|the)\b/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  if (confidence === 'unsure') return `The spans do not tell for sure. ${known}.`;
  if (failed.length === 1 && failed[0] === origin) return `It is the only failure of the trace: ${last}.`;
  const above = failed.every((node) => node === origin || isAncestor(node, origin));
  return above && failed.length > 1
    ? `${known}, and every other failure lies above it in the call chain.`
    : `${known}.`;
}
