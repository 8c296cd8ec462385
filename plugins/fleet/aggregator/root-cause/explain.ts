import type { TreeNode } from '../span-tree.js';
import { failureClass } from './failure-class.js';
import { whatItWaitedFor } from './slowest.js';
import { answersOf, endOf, runsAt, type Step, stepsOf, wentOnAfter } from './steps.js';

/**
 * How sure a verdict is: `certain` when the spans show each step from the outcome to the cause, `likely` when one of them is inferred,
 * `unsure` when it is the best guess.
 */
export type Confidence = 'certain' | 'likely' | 'unsure';

/** Where a failure comes from. */
export interface Explanation {
  readonly origin: TreeNode;
  readonly confidence: Confidence;
  /** From the outcome down to the origin. */
  readonly evidence: readonly string[];
}

const ORDER: readonly Confidence[] = ['certain', 'likely', 'unsure'];

/** The less sure one of two. */
export function weaker(a: Confidence, b: Confidence): Confidence {
  return ORDER[Math.max(ORDER.indexOf(a), ORDER.indexOf(b))] as Confidence;
}

/** Statuses with which a service says that the one behind it failed. */
const PASSED_ON: ReadonlySet<number> = new Set([502, 504]);
/** A pause between a failure and the answer, from which on it is no longer sure that one led to the other: share of the request and ms. */
const LONG_PAUSE = { share: 0.5, ms: 100 };

/**
 * Finds where the failure of a span comes from, by what explains it: the step that failed and after which nothing else was tried, what a
 * timed-out callee was waiting for, or the span itself.
 */
export class Explainer {
  readonly #known = new Map<TreeNode, Explanation | undefined>();

  /** @param orphans - spans whose parents never arrived: a call without an answer may have led to one of them */
  constructor(private readonly orphans: readonly TreeNode[]) {}

  /** @returns undefined when it was cut off, and nothing in it is to blame */
  explain(node: TreeNode): Explanation | undefined {
    if (this.#known.has(node)) return this.#known.get(node);
    this.#known.set(node, undefined);
    const found = node.span.kind === 'client' ? this.#call(node) : this.#work(node);
    this.#known.set(node, found);
    return found;
  }

  #work(work: TreeNode): Explanation | undefined {
    const steps = stepsOf(work);
    const failed = steps.filter((step) => step.failed && step.attempts.some((each) => this.#isToBlame(each)));
    const inTime = failed.filter((step) => isWithin(step, work));
    const fatal = inTime.filter((step) => !wentOnAfter(step, steps)).sort((a, b) => a.end - b.end);
    for (const step of fatal) {
      const found = this.#step(step);
      if (found) return below(work, found, this.#sureness(work, step));
    }
    return this.#withoutFatalStep(work, steps, inTime);
  }

  #isToBlame({ span }: TreeNode): boolean {
    return span.failed && failureClass(span) !== 'cut';
  }

  // Retries and fallbacks are one cause, led by the first.
  #step({ attempts }: Step): Explanation | undefined {
    for (const attempt of attempts) {
      const found = this.#isToBlame(attempt) ? this.explain(attempt) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #sureness(work: TreeNode, step: Step): Confidence {
    const pause = endOf(work) - step.end;
    return pause > Math.max(LONG_PAUSE.ms, work.span.durationMs * LONG_PAUSE.share) ? 'likely' : 'certain';
  }

  #withoutFatalStep(work: TreeNode, steps: readonly Step[], survived: readonly Step[]): Explanation | undefined {
    const own = work.span.failed ? failureClass(work.span) : 'failed';
    if (own === 'cut') return undefined;
    const left = stepsLeftOpen(work);
    const [open] = left;
    if (open) {
      const waited = whatItWaitedFor(open, endOf(work));
      return {
        origin: waited,
        confidence: 'likely',
        evidence: [`${nameOf(work)} gave up while ${nameOf(waited)} was at work`],
      };
    }
    const refusal = lastRefusal(steps);
    if (refusal) {
      const evidence = [`the last thing that ${nameOf(work)} heard was ${refusal.span.status} of ${targetOf(refusal)}`];
      return { origin: refusal, confidence: 'unsure', evidence };
    }
    if (survived.length > 0) {
      return {
        origin: work,
        confidence: 'unsure',
        evidence: [`${nameOf(work)} failed after it had survived a failure below it`],
      };
    }
    const isCutCaller = steps.some((step) => step.failed) && PASSED_ON.has(work.span.status);
    const isAlone = steps.length === 0 && PASSED_ON.has(work.span.status);
    const missing = isAlone ? this.#lost(work) : undefined;
    if (missing) return missing;
    const confidence = isCutCaller || isAlone ? 'unsure' : 'certain';
    return { origin: work, confidence, evidence: [ownFault(work, steps)] };
  }

  #call(call: TreeNode): Explanation | undefined {
    const kind = failureClass(call.span);
    const itself = (confidence: Confidence): Explanation => ({ origin: call, confidence, evidence: [callFault(call)] });
    if (kind === 'cut') return undefined;
    if (kind === 'refused') return itself('certain');
    const answers = answersOf(call);
    const bad = answers.find(({ span }) => span.failed || (span.status === call.span.status && span.status >= 400));
    if (kind === 'timeout') return this.#timeout(call, answers) ?? itself(answers.length > 0 ? 'likely' : 'certain');
    if (bad) {
      const found = bad.span.failed ? this.explain(bad) : this.#handedOn(bad);
      if (found) return below(call, found, 'certain');
    }
    if (kind === 'broken' || answers.length > 0) return itself(answers.length > 0 ? 'likely' : 'certain');
    return this.#lost(call) ?? itself('certain');
  }

  // An answer such as 429 is no failure of the service that gives it; one that it only passes on comes from below.
  #handedOn(answer: TreeNode): Explanation {
    const last = stepsOf(answer).findLast(({ failed }) => failed);
    const found =
      last && (last.attempts.at(-1) as TreeNode).span.status === answer.span.status ? this.#step(last) : undefined;
    return (
      found ?? { origin: answer, confidence: 'certain', evidence: [`${nameOf(answer)} answered ${answer.span.status}`] }
    );
  }

  // The callee is to blame for what it was waiting for at the deadline, not for what it did before or later.
  #timeout(call: TreeNode, answers: readonly TreeNode[]): Explanation | undefined {
    const deadline = endOf(call);
    const early = answers.find((answer) => answer.span.failed && !runsAt(answer, deadline));
    const open = answers.find((answer) => runsAt(answer, deadline));
    if (open === undefined) {
      const found = early && this.explain(early);
      return found ? below(call, found, 'likely') : this.#lost(call, deadline);
    }
    const waited = whatItWaitedFor(open, deadline);
    const evidence = [
      `${nameOf(call)} gave up after ${ms(call.span.durationMs)}`,
      `${nameOf(waited)} was at work then`,
    ];
    return { origin: waited, confidence: 'certain', evidence };
  }

  // The callee's own span did not arrive, but something that nobody else has begun at that time did.
  #lost(call: TreeNode, deadline?: number): Explanation | undefined {
    const within = this.orphans.filter(
      (orphan) =>
        orphan !== call &&
        orphan.span.service !== call.span.service &&
        orphan.start >= call.start &&
        orphan.start <= endOf(call),
    );
    const failed = within.filter(
      (orphan) => this.#isToBlame(orphan) && (deadline !== undefined || endOf(orphan) <= endOf(call)),
    );
    for (const orphan of failed) {
      const found = this.explain(orphan);
      if (found) return below(call, found, 'likely');
    }
    const open = deadline === undefined ? undefined : within.find((orphan) => runsAt(orphan, deadline));
    if (open === undefined) return undefined;
    const origin = whatItWaitedFor(open, deadline as number);
    return { origin, confidence: 'likely', evidence: [`${nameOf(origin)} was at work when ${nameOf(call)} gave up`] };
  }
}

function isWithin(step: Step, work: TreeNode): boolean {
  // A callee's span may end after its caller's by the difference of two clocks; a call of the caller may not.
  const isOwn = (step.attempts[0] as TreeNode).span.kind !== 'server';
  return !isOwn || step.end <= endOf(work) + 1;
}

// What was still going on when the work ended was given up, as a race against a timer does.
function stepsLeftOpen(work: TreeNode): readonly TreeNode[] {
  const end = endOf(work) + 1;
  return work.children
    .filter(({ span }) => !['consumer', 'producer', 'event'].includes(span.kind))
    .filter((node) => runsAt(node, end));
}

function lastRefusal(steps: readonly Step[]): TreeNode | undefined {
  const last = steps.reduce<Step | undefined>((late, step) => (late && late.end >= step.end ? late : step), undefined);
  const node = last?.attempts.at(-1);
  return node && node.span.kind === 'client' && node.span.status >= 400 && node.span.status < 500 ? node : undefined;
}

function below(node: TreeNode, found: Explanation, confidence: Confidence): Explanation {
  const link = `${nameOf(node)} failed with it`;
  return { ...found, confidence: weaker(found.confidence, confidence), evidence: [link, ...found.evidence] };
}

function ownFault(work: TreeNode, steps: readonly Step[]): string {
  return steps.length === 0
    ? `${nameOf(work)} called nothing that was recorded`
    : `nothing that ${nameOf(work)} called failed`;
}

function callFault(call: TreeNode): string {
  const { span } = call;
  const who = span.service || 'an unnamed service';
  switch (failureClass(span)) {
    case 'refused':
      return `${targetOf(call)} is unreachable from ${who} (${span.error})`;
    case 'timeout':
      return `${targetOf(call)} did not answer ${who} within ${ms(span.durationMs)}`;
    case 'broken':
      return `the connection of ${who} to ${targetOf(call)} broke off (${span.error})`;
    default:
      return `${targetOf(call)} answered ${who} with ${span.status > 0 ? span.status : (span.error ?? 'a failure')}`;
  }
}

/** Whom a call, a statement or a message was meant for. */
export function targetOf({ span }: TreeNode): string {
  const address = span.attribute('server.address');
  const port = span.attribute('server.port');
  if (address !== undefined) return port === undefined ? String(address) : `${address}:${port}`;
  return String(span.attribute('db.system.name') ?? span.attribute('messaging.system') ?? 'another service');
}

/** A span in a sentence. */
export function nameOf({ span }: TreeNode): string {
  const who = span.service || 'an unnamed service';
  return [who, 'at', span.method, span.route].filter((word) => word !== '').join(' ');
}

function ms(duration: number): string {
  return `${Math.round(duration * 100) / 100} ms`;
}
