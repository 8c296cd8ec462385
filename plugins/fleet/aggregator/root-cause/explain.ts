import { mostBy } from '../../../../kernel/values/index.js';
import type { TreeNode } from '../span-tree.js';
import type { StoredSpan } from '../stored-span.js';
import { exceptionOf, failureClass, isGathered, isOwnFault } from './failure-class.js';
import { type Alike, type Gap, gapOf, type Waited, whatItWaitedFor } from './slowest.js';
import {
  answersOf,
  AT_ONCE,
  callsWithin,
  endOf,
  isAfter,
  isOneOfMany,
  isOvertaken,
  redirectLoop,
  runsAt,
  type Step,
  stepsOf,
  wentOnAfter,
  workOf,
} from './steps.js';

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
  /** Present if the origin is the first of many similar calls that together took the time. */
  readonly alike?: Alike | undefined;
}

const ORDER: readonly Confidence[] = ['certain', 'likely', 'unsure'];

/** The lower of two confidences. */
export function weaker(a: Confidence, b: Confidence): Confidence {
  return ORDER[Math.max(ORDER.indexOf(a), ORDER.indexOf(b))] as Confidence;
}

/** Statuses by which a service reports that one behind it failed. */
const PASSED_ON: ReadonlySet<number> = new Set([502, 504]);
/** Statuses by which a service reports that its callee did not answer. */
const WAITED_IN_VAIN: ReadonlySet<number> = new Set([408, 502, 503, 504]);
/** Types of exceptions that any failure may have. */
const GENERIC = /^(?:Error|Exception|RuntimeError|RuntimeException)$/;
/** Pause between a failure and the response from which on their connection is uncertain: share of the request, and milliseconds. */
const LONG_PAUSE = { share: 0.5, ms: 100 };

/**
 * Finds where the failure of a span comes from. It is one of three: the failed step after which nothing else was tried, the call that a
 * timed-out callee was waiting for, or the span itself.
 */
export class Explainer {
  readonly #known = new Map<TreeNode, Explanation | undefined>();

  /** @param orphans - spans whose parents never arrived: a call without an answer may have led to one of them */
  constructor(private readonly orphans: readonly TreeNode[]) {}

  /** @returns undefined for a cancelled span without a failure of its own */
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
    const exception = exceptionOf(work.span);
    const isOwn = exception !== undefined && isOwnFault(exception);
    const fatal = inTime
      .filter((step) => !wentOnAfter(step, steps) && !(isOwn && !isThrownBy(step, exception)))
      .sort((a, b) => a.end - b.end);
    for (const step of fatal) {
      const found = this.#step(step);
      if (found) return afterSpentTime(work, step, steps, below(work, found, this.#sureness(work, step, fatal)));
    }
    const led = this.#gathered(work, steps, exception) ?? redirectedForEver(work, steps);
    if (led) return led;
    if (isOwn) return ownException(work, exception, steps, inTime);
    return this.#thrownOn(work, exception, inTime) ?? this.#withoutFatalStep(work, steps, inTime);
  }

  // Whoever writes a failure down, or tidies up after it, and throws it on has not survived it.
  #thrownOn(work: TreeNode, exception: string | undefined, failed: readonly Step[]): Explanation | undefined {
    if (exception === undefined || GENERIC.test(exception)) return undefined;
    const same = failed.filter(({ attempts }) => attempts.some(({ span }) => typeOf(span) === exception));
    const last = mostBy(same, ({ end }) => end);
    const found = last && this.#step(last);
    if (found === undefined) return undefined;
    const link = `${nameOf(work)} went on after it, and failed with the same ${exception}`;
    const confidence = same.length === 1 ? 'likely' : 'unsure';
    return { ...found, confidence: weaker(found.confidence, confidence), evidence: [link, ...found.evidence] };
  }

  #isToBlame({ span }: TreeNode): boolean {
    return span.failed && failureClass(span) !== 'cut';
  }

  // An exception that gathers others is thrown for failures that the request had gone on after: the first of them leads.
  #gathered(work: TreeNode, steps: readonly Step[], exception: string | undefined): Explanation | undefined {
    if (exception === undefined || !isGathered(exception)) return undefined;
    const failed = steps.flatMap(({ attempts }) => attempts.filter((each) => this.#isToBlame(each)));
    const [first] = failed.sort((a, b) => endOf(a) - endOf(b));
    const found = first && this.explain(first);
    if (found === undefined) return undefined;
    const threw = `${nameOf(work)} threw ${exception}, after ${failed.length} of its calls had failed`;
    return { ...found, confidence: 'likely', evidence: [threw, ...found.evidence] };
  }

  // Retries and fallbacks are one cause, led by the first.
  #step({ attempts }: Step): Explanation | undefined {
    for (const attempt of attempts) {
      const found = this.#isToBlame(attempt) ? this.explain(attempt) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #sureness(work: TreeNode, step: Step, fatal: readonly Step[]): Confidence {
    // What takes back earlier steps may itself be what the request failed with.
    if (fatal.some((other) => isAfter(other, step))) return 'likely';
    const exception = exceptionOf(work.span);
    // An exception of another type may wrap the failure, or be one of the request's own.
    if (exception !== undefined && !isThrownBy(step, exception) && !WAITED_IN_VAIN.has(work.span.status))
      return 'likely';
    const pause = endOf(work) - step.end;
    return pause > Math.max(LONG_PAUSE.ms, work.span.durationMs * LONG_PAUSE.share) ? 'likely' : 'certain';
  }

  #withoutFatalStep(work: TreeNode, steps: readonly Step[], survived: readonly Step[]): Explanation | undefined {
    const own = work.span.failed ? failureClass(work.span) : 'failed';
    if (own === 'cut') return undefined;
    const left = stepsLeftOpen(work);
    const [open] = left;
    if (open) {
      return waitedFor(
        whatItWaitedFor(open, endOf(work)),
        'likely',
        [],
        (was) => `${nameOf(work)} gave up while ${was}`,
      );
    }
    const given = this.#givenUp(work, steps);
    if (given) return given;
    const refusal = lastRefusal(steps);
    if (refusal) {
      const evidence = [`the last thing that ${nameOf(work)} heard was ${refusal.span.status} of ${targetOf(refusal)}`];
      return this.#refused(refusal, evidence);
    }
    if (survived.length > 0 || steps.some((step) => isOneOfMany(step, steps))) {
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

  // Whoever refused may have done so for something that failed below him: a row that is there already.
  #refused(refusal: TreeNode, evidence: readonly string[]): Explanation {
    const answer = answersOf(refusal).find(({ span }) => span.status === refusal.span.status);
    const steps = answer === undefined ? [] : stepsOf(answer);
    const step = steps.findLast(({ failed }) => failed);
    const found = step !== undefined && !wentOnAfter(step, steps) ? this.#step(step) : undefined;
    if (found === undefined) return { origin: refusal, confidence: 'unsure', evidence };
    return { ...found, confidence: 'unsure', evidence: [...evidence, ...found.evidence] };
  }

  // No step failed on its own, and the last one was cut off: by the work itself, which answered afterwards.
  #givenUp(work: TreeNode, steps: readonly Step[]): Explanation | undefined {
    const last = Math.max(...steps.map(({ end }) => end));
    const cut = steps
      .flatMap(({ attempts }) => cutCalls(attempts.at(-1) as TreeNode))
      .filter((call) => endOf(call) >= last - AT_ONCE);
    const [call] = cut.sort((a, b) => a.start - b.start);
    if (call === undefined) return undefined;
    const itself: Explanation = { origin: call, confidence: 'likely', evidence: [callFault(call)] };
    const found = this.#timeout(call, answersOf(call)) ?? itself;
    // The code of the service may have failed first and cut the call off because of that.
    const confidence = WAITED_IN_VAIN.has(work.span.status) ? 'likely' : 'unsure';
    return { ...found, confidence: weaker(confidence, found.confidence) };
  }

  #call(call: TreeNode): Explanation | undefined {
    const kind = failureClass(call.span);
    const itself = (confidence: Confidence): Explanation => ({ origin: call, confidence, evidence: [callFault(call)] });
    if (kind === 'cut') return undefined;
    const within = callsWithin(call).at(-1);
    const made = within?.failed ? this.#step(within) : undefined;
    if (made) return below(call, made, 'certain');
    if (kind === 'refused') return itself('certain');
    const answers = answersOf(call);
    const bad = answers.find(({ span }) => span.failed || (span.status === call.span.status && span.status >= 400));
    // A service that usually sends spans sent none for this call, so its part is not visible.
    const isSeen = answers.length === 0 && call.peer === undefined;
    if (kind === 'timeout' || isGivenUp(call, answers))
      return this.#timeout(call, answers) ?? itself(isSeen ? 'certain' : 'likely');
    if (bad) {
      const found = bad.span.failed ? this.explain(bad) : this.#handedOn(bad);
      if (found) return below(call, found, 'certain');
    }
    if (kind === 'broken' || answers.length > 0) return itself(answers.length > 0 ? 'likely' : 'certain');
    const lost = this.#lost(call);
    if (lost) return lost;
    const isPassedOn = PASSED_ON.has(call.span.status);
    if (isSeen && !isPassedOn) return itself('certain');
    const doubt = isPassedOn
      ? `${targetOf(call)} answered ${whoOf(call)} with ${call.span.status}, which says that another one behind it failed`
      : `${callFault(call)}, and no span of it tells why`;
    return { origin: call, confidence: 'likely', evidence: [doubt] };
  }

  // A response such as 429 is no failure of its service; a status that is only passed on comes from a callee.
  #handedOn(answer: TreeNode): Explanation {
    const last = stepsOf(answer).findLast(({ failed }) => failed);
    const found =
      last && (last.attempts.at(-1) as TreeNode).span.status === answer.span.status ? this.#step(last) : undefined;
    return (
      found ?? { origin: answer, confidence: 'certain', evidence: [`${nameOf(answer)} answered ${answer.span.status}`] }
    );
  }

  // The cause is what the callee was waiting for at the deadline, not what it did before or later.
  #timeout(call: TreeNode, answers: readonly TreeNode[]): Explanation | undefined {
    const deadline = endOf(call);
    const gaveUp = `${nameOf(call)} gave up after ${ms(call.span.durationMs)}`;
    // The span of some servers ends when their client leaves, which is a moment before or after that, depending on the clock.
    const isOpen = (answer: TreeNode) => endOf(answer) >= deadline - AT_ONCE;
    const early = answers.find((answer) => answer.span.failed && !isOpen(answer));
    const open = answers.find((answer) => isOpen(answer));
    const found = open === undefined && early ? this.explain(early) : undefined;
    if (found) return below(call, found, 'likely');
    // With a status the answer had begun to come, and its callee may still have been at it.
    const gap = call.span.status === 0 ? gapOf(call, deadline) : undefined;
    if (gap) return waitedFor({ node: workOf(call) ?? call, gap }, 'unsure', [gaveUp]);
    if (open === undefined) return this.#lost(call, deadline);
    return waitedFor(
      whatItWaitedFor(open, Math.min(deadline, endOf(open))),
      'certain',
      [gaveUp],
      (was) => `${was} then`,
    );
  }

  // The callee's own span did not arrive, but an orphan that began at that time may be below it.
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
    const waited = whatItWaitedFor(open, deadline as number);
    return waitedFor(waited, 'likely', [], (was) => `${was} when ${nameOf(call)} gave up`);
  }
}

// What something was waiting for. Of a call that was open for much longer than its callee was at work, the spans do not tell where the rest of
// its time went.
function waitedFor(
  waited: Waited,
  confidence: Confidence,
  before: readonly string[],
  words: (atWork: string) => string = (was) => was,
): Explanation {
  const { node: origin, alike, gap } = waited;
  if (gap) return { origin, confidence: 'unsure', evidence: [...before, gapText(gap)] };
  return { origin, confidence, evidence: [...before, words(atWork(waited))], alike };
}

function gapText({ call, answer }: Gap): string {
  const [who, whole] = [whoOf(call), ms(call.span.durationMs)];
  return `${nameOf(answer)} took ${ms(answer.span.durationMs)} of the ${whole} for which ${who} had its call open; the rest passed outside of it: at ${who} itself, whose event loop may have stood still, in the network, or in a queue before ${whoOf(answer)}`;
}

// A fault of the request's own code. Where a step had failed, was refused or cut off before, the code may have stumbled over what was
// missing; that call would be the cause then, and no span tells.
function ownException(work: TreeNode, exception: string, steps: readonly Step[], failed: readonly Step[]): Explanation {
  const missing = steps.filter((step) => step.failed && !isOvertaken(step, steps));
  const refusal = lastRefusal(steps);
  const threw = `${nameOf(work)} threw ${exception} of its own`;
  if (failed.length > 0 || missing.length > 0) {
    return { origin: work, confidence: 'unsure', evidence: [`${threw} after it had survived a failure below it`] };
  }
  if (refusal) {
    const heard = `after it had heard ${refusal.span.status} of ${targetOf(refusal)}`;
    return { origin: work, confidence: 'unsure', evidence: [`${threw} ${heard}`] };
  }
  return { origin: work, confidence: 'certain', evidence: [ownFault(work, steps)] };
}

// Who follows redirects gives up after some number of them; each single call went well.
function redirectedForEver(work: TreeNode, steps: readonly Step[]): Explanation | undefined {
  const first = work.span.failed ? redirectLoop(steps) : undefined;
  if (first === undefined) return undefined;
  const evidence = [`${targetOf(first)} redirected ${nameOf(work)} again and again, without an answer at the end`];
  return { origin: first, confidence: 'likely', evidence };
}

// Several calls may share one deadline. One that was given less time than had gone by before it need not be the slow one.
function afterSpentTime(work: TreeNode, step: Step, steps: readonly Step[], found: Explanation): Explanation {
  const call = step.attempts.at(-1) as TreeNode;
  const before = step.start - work.start;
  if (failureClass(call.span) !== 'timeout' || before <= call.span.durationMs) return found;
  const longest = steps
    .filter((other) => isAfter(step, other))
    .sort((a, b) => b.end - b.start - (a.end - a.start))
    .find((other) => other.end - other.start > call.span.durationMs);
  const spent = longest
    ? `${nameOf(longest.attempts[0] as TreeNode)} had taken ${ms(longest.end - longest.start)}`
    : `${nameOf(work)} had been at work for ${ms(before)}`;
  const evidence = found.evidence.with(-1, `${found.evidence.at(-1)}, after ${spent}`);
  return { ...found, confidence: weaker(found.confidence, 'likely'), evidence };
}

// A call or statement threw the exception of the request if it failed with the same type.
function isThrownBy({ attempts }: Step, exception: string): boolean {
  return attempts.some(
    ({ span }) => span.attribute('error.type') === exception || span.error?.includes(exception) === true,
  );
}

// Statements have words before the type.
function typeOf(span: StoredSpan): string | undefined {
  const type = span.attribute('error.type') ?? /^(?:query failed: )?(\S+)/.exec(span.error ?? '')?.[1];
  return type === undefined ? undefined : String(type);
}

function isWithin(step: Step, work: TreeNode): boolean {
  // A callee's span may end after its caller's because their clocks differ; spans of one process may not.
  const isOwn = (step.attempts[0] as TreeNode).span.kind !== 'server';
  return !isOwn || step.end <= endOf(work) + 1;
}

// Steps that were still running when the work ended were abandoned, as in a race against a timer.
function stepsLeftOpen(work: TreeNode): readonly TreeNode[] {
  const end = endOf(work) + 1;
  return work.children
    .filter(({ span }) => !['consumer', 'producer', 'event'].includes(span.kind))
    .filter((node) => runsAt(node, end));
}

function lastRefusal(steps: readonly Step[]): TreeNode | undefined {
  const node = mostBy(steps, ({ end }) => end)?.attempts.at(-1);
  return node && node.span.kind === 'client' && node.span.status >= 400 && node.span.status < 500 ? node : undefined;
}

function below(node: TreeNode, found: Explanation, confidence: Confidence): Explanation {
  const link = `${nameOf(node)} failed with it`;
  return { ...found, confidence: weaker(found.confidence, confidence), evidence: [link, ...found.evidence] };
}

function ownFault(work: TreeNode, steps: readonly Step[]): string {
  if (work.span.kind === 'query') return queryFault(work);
  return steps.length === 0
    ? `${nameOf(work)} called nothing that was recorded`
    : `nothing that ${nameOf(work)} called failed`;
}

// Describes the failure of a query, which calls no service: the error of the database or of the connection.
function queryFault(query: TreeNode): string {
  const kind = failureClass(query.span);
  if (query.span.attribute('error.type') === 'FW_ORM_NO_CONNECTION')
    return `${whoOf(query)} had no connection to ${targetOf(query)} left for the statement ${operationOf(query.span)}, for ${ms(query.span.durationMs)}`;
  if (kind === 'refused' || kind === 'timeout' || kind === 'broken') return callFault(query);
  return `${targetOf(query)} refused the statement ${operationOf(query.span)}${query.span.error ? ` (${query.span.error})` : ''}`;
}

function atWork({ node, alike }: Waited): string {
  return alike
    ? `${nameOf(node)} was at work (${alike.count} like it took ${ms(alike.ms)})`
    : `${nameOf(node)} was at work`;
}

function whoOf({ span }: TreeNode): string {
  return span.service || 'an unnamed service';
}

function callFault(call: TreeNode): string {
  const { span } = call;
  const who = whoOf(call);
  switch (failureClass(span)) {
    case 'refused':
      return `${targetOf(call)} is unreachable from ${who} (${span.error})`;
    case 'timeout':
      return `${targetOf(call)} did not answer ${who} within ${ms(span.durationMs)}`;
    case 'cut':
      return `${who} gave up its call to ${targetOf(call)} after ${ms(span.durationMs)}`;
    case 'broken':
      return `the connection of ${who} to ${targetOf(call)} broke off (${span.error})`;
    default:
      return span.status > 0 || span.attribute('rpc.response.status_code') !== undefined
        ? `${targetOf(call)} answered ${who} with ${span.status > 0 ? span.status : span.error}`
        : `the call of ${who} to ${targetOf(call)} failed (${span.error})`;
  }
}

// Calls that were cut off: a step itself, or the last ones of a part of the request that passed their exception on.
function cutCalls(node: TreeNode): readonly TreeNode[] {
  const { span } = node;
  if (!span.failed || failureClass(span) !== 'cut') return [];
  if (span.kind === 'client') return [node];
  if (span.kind !== 'internal') return [];
  return stepsOf(node).flatMap(({ attempts }) => cutCalls(attempts.at(-1) as TreeNode));
}

// A proxy answers 504 for a service that is still at work.
function isGivenUp(call: TreeNode, answers: readonly TreeNode[]): boolean {
  return call.span.status === GATEWAY_TIMEOUT && answers.some((answer) => endOf(answer) > endOf(call) + AT_ONCE);
}

const GATEWAY_TIMEOUT = 504;

/** Target of a call, a statement or a message: the service if it is known, else the address. */
export function targetOf(node: TreeNode): string {
  const { span } = node;
  const peer = node.peer ?? (span.kind === 'client' ? answersOf(node)[0]?.span.service : undefined);
  const address = addressOf(span);
  if (peer !== undefined) return address === undefined || address === peer ? peer : `${peer} (${address})`;
  const system = span.attribute('db.system.name') ?? span.attribute('messaging.system');
  if (address === undefined) return String(system ?? 'another service');
  return system === undefined ? address : `${system} (${address})`;
}

/** Host and port of a span's target, as far as the span has them. */
export function addressOf(span: StoredSpan): string | undefined {
  const address = span.attribute('server.address');
  const port = span.attribute('server.port');
  if (address === undefined) return undefined;
  return port === undefined ? String(address) : `${address}:${port}`;
}

/** Name of a span in a sentence. */
export function nameOf(node: TreeNode): string {
  return [whoOf(node), 'at', placeOf(node)].filter((word) => word !== '').join(' ');
}

/** What a span did, in a sentence. A part of a request is named with the request. */
export function placeOf(node: TreeNode): string {
  const { span } = node;
  const work = span.kind === 'internal' ? workOf(node) : undefined;
  const isWithin = work?.span.kind === 'server' && work.span.service === span.service;
  return isWithin ? `${operationOf(work.span)}, in ${span.route}` : operationOf(span);
}

/** Verb and place of a span; a statement begins with its verb already. */
export function operationOf({ kind, method, route }: TreeNode['span']): string {
  const hasVerb = kind === 'query' && route.slice(0, method.length).toUpperCase() === method;
  return hasVerb ? route : [method, route].filter((word) => word !== '').join(' ');
}

function ms(duration: number): string {
  return `${Math.round(duration * 100) / 100} ms`;
}
