import { setTimeout } from 'node:timers/promises';
import type { Clock, Logger } from '../../../kernel/index.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import type { ContractStats, Direction, Violation, ViolationGroup } from '../../../kernel/contracts/fleet-wire.js';
import { messageOf } from '../../../kernel/errors/index.js';
import { CheckWorker, type Exceeded, type Result } from './check-worker.js';
import { GivenUp, inWords } from './given-up.js';
import { nameOf, Operations, SEVERAL } from './operations.js';
import { ServiceQueue } from './service-queue.js';
import type { BodyCheck, Task } from './thread/protocol.js';
import { type RequestProblem, undocumentedCallOf, undocumentedOf, WITHOUT_CONTENT } from './undocumented.js';
import { type IsBelow, ViolationOrigins } from './violation-origins.js';
import { ViolationRing } from './violation-ring.js';

/** Spans that wait for their check, schemas that wait for their fetch, spans that wait for a schema. */
const MAX_QUEUED = 8_192;
const MAX_FETCHES = 128;
const MAX_PARKED_PER_SERVICE = 256;
const MAX_PARKED_SERVICES = 64;
/** Characters of bodies that wait in queues. */
const MAX_QUEUED_TEXT = 16 * 1024 * 1024;
/** Spans per message to the thread. */
const CHECKS_PER_BATCH = 200;
/** Milliseconds for which spans are collected before a message to the thread, which costs as much as several checks. */
const GATHER_MS = 20;
/** How long a span waits for the schema of its service, in milliseconds. */
const PARKED_FOR_MS = 60_000;
/** Services whose documents are kept, and bytes of all of them. */
const MAX_DOCUMENTS = 500;
const MAX_DOCUMENT_BYTES = 128 * 1024 * 1024;
/** Services that have to wait for their next fetch, or whose checks are paused. */
const MAX_PAUSES = 2 * MAX_DOCUMENTS;
/** How often the document of a service is fetched at most, in milliseconds. */
const FETCH_EVERY_MS = 5_000;
/** MiB of the heap in which documents are read and bodies checked. */
const MAX_HEAP = 256;
/** After an aborted check, its service is not checked for this many deadlines. */
const PAUSE_DEADLINES = 20;
/** Remembered kinds of aborted checks, with their reasons. */
const MAX_GIVEN_UP = 100;

/** Requests whose caller is not known yet, and violations of each that are kept for it. */
const MAX_UNNAMED = 4_096;
const MAX_UNNAMED_VIOLATIONS = 64;

/** A request that a service answered, as the checker needs it. */
export interface CheckedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly caller: string;
  /** Whether the name of the caller comes with a later span: {@link ContractChecker.called}. */
  readonly awaitsCaller?: boolean;
  readonly callee: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** JSON text of the bodies. */
  readonly request?: string | undefined;
  readonly response?: string | undefined;
  /** Media types of the bodies, without parameters; also of those that are not recorded, because they are no JSON. */
  readonly requestType?: string | undefined;
  readonly responseType?: string | undefined;
  readonly at: number;
}

/** Options of the checker. */
export interface ContractCheckerOptions {
  readonly maxViolations: number;
  /** Milliseconds. */
  readonly violationDedupeWindow: number;
  /** Milliseconds that a document or a body may take. */
  readonly contractDeadline: number;
  /** Fetches the text of a document; rejects when it is refused or unreachable. */
  readonly fetchDocument: (url: string) => Promise<Uint8Array>;
  readonly isBelow: IsBelow;
  readonly clock: Clock;
  readonly log?: Logger;
  readonly onViolation?: (group: ViolationGroup) => void;
}

/** A request whose caller has not sent its span yet, as OpenTelemetry's exporters, which wait for seconds, send it after ours. */
interface Unnamed {
  readonly request: Omit<CheckedSpan, 'request' | 'response'>;
  readonly violations: Violation[];
  caller: string;
}

/** The part of a service's document that this thread keeps. */
interface Schema {
  readonly hash: string;
  readonly number: number;
  readonly text: SharedArrayBuffer;
  /** Undefined when the document cannot be used. */
  readonly operations: Operations | undefined;
}

/**
 * Checks bodies against the OpenAPI documents that services advertise, without delaying the intake of spans. Documents, schemas and bodies
 * are processed in a thread of their own, because their content decides how long that takes. Queues are bounded, spans that arrive before
 * the schema of their service wait for it, and unchecked spans are counted and listed.
 */
export class ContractChecker {
  readonly violations: ViolationRing;
  readonly #origins: ViolationOrigins;
  readonly #worker: CheckWorker;
  readonly #schemas = new Map<string, Schema>();
  readonly #texts = new Map<number, SharedArrayBuffer>();
  readonly #fetching = new Set<string>();
  /** When the document of a service may be fetched again, in monotonic milliseconds. */
  readonly #fetchAgain = new BoundedMap<string, number>(MAX_PAUSES);
  readonly #queue = new ServiceQueue(MAX_QUEUED);
  readonly #parked = new Map<string, CheckedSpan[]>();
  /** By trace and span. */
  readonly #unnamed = new BoundedMap<string, Unnamed>(MAX_UNNAMED);
  /** End of the pause of each service, in monotonic milliseconds. */
  readonly #paused = new BoundedMap<string, number>(MAX_PAUSES);
  readonly #givenUp = new GivenUp(MAX_GIVEN_UP);
  /** Resolves when the thread is free. */
  #turn: Promise<unknown> = Promise.resolve();
  #documents = 0;
  #text = 0;
  #inThread = 0;
  #isWorking = false;
  #checked = 0;
  #unchecked = 0;
  #exceeded = 0;
  #fetchFailures = 0;
  #schemaFailures = 0;
  #closed = false;

  constructor(private readonly options: ContractCheckerOptions) {
    this.#origins = new ViolationOrigins(options.isBelow);
    this.violations = new ViolationRing(options.maxViolations, options.violationDedupeWindow, (violation) =>
      this.#origins.passedOnFrom(violation),
    );
    const limits = { deadline: options.contractDeadline, maxHeap: MAX_HEAP };
    this.#worker = new CheckWorker(limits, (number) => this.#texts.get(number));
  }

  /** Whether a service's document describes an operation; undefined while there is no document. */
  describes(service: string, method: string, route: string): boolean | undefined {
    const operations = this.#schemas.get(service)?.operations;
    return operations && operations.find(method, route) !== undefined;
  }

  /** Takes a request; never waits. One without bodies is only compared with a known document. */
  submit(span: CheckedSpan): void {
    if (span.awaitsCaller === true) this.#awaitCaller(span);
    const isBare = span.request === undefined && span.response === undefined;
    const hasType = span.requestType !== undefined || span.responseType !== undefined;
    if (isBare && !(hasType && this.describes(span.callee, span.method, span.route))) {
      this.#judge(span);
      return;
    }
    const length = lengthOf(span);
    if (this.#closed || this.#text + length > MAX_QUEUED_TEXT) {
      this.#unchecked++;
      return;
    }
    this.#text += length;
    const schema = this.#schemas.get(span.callee);
    if (schema === undefined) this.#park(span);
    else if (schema.operations === undefined) this.#giveUp([span]);
    else this.#enqueue(span);
  }

  /** Learns who has made a request that was submitted with {@link CheckedSpan.awaitsCaller}. */
  called(traceId: string, spanId: string, caller: string): void {
    const unnamed = this.#unnamed.get(keyOf(traceId, spanId));
    if (unnamed === undefined || unnamed.caller !== '' || caller === '') return;
    unnamed.caller = caller;
    this.#origins.called(traceId, spanId, caller);
    const request = { ...unnamed.request, caller };
    for (const violation of unnamed.violations.splice(0)) {
      this.violations.withdraw(violation);
      this.#report(request, violation);
    }
    const operations = this.#closed ? undefined : this.#schemas.get(request.callee)?.operations;
    for (const problem of operations ? undocumentedCallOf(request, operations) : []) this.#report(request, problem);
  }

  /** Learns from a heartbeat where a service's document is; fetches it when its digest is new. */
  advertise(service: string, hash: string, url: string): void {
    if (this.#closed || this.#schemas.get(service)?.hash === hash || this.#fetching.has(service)) return;
    if (this.#fetching.size >= MAX_FETCHES || this.#monotonic() < (this.#fetchAgain.get(service) ?? 0)) return;
    this.#fetching.add(service);
    void this.#fetch(service, hash, url).finally(() => this.#fetching.delete(service));
  }

  /** Gives up spans that have waited too long. */
  sweep(): void {
    const now = this.#now();
    for (const [service, spans] of this.#parked) {
      // One of the future came before the clock was set back.
      const waiting = spans.filter(({ at }) => Math.abs(now - at) <= PARKED_FOR_MS);
      this.#giveUp(spans.filter(({ at }) => Math.abs(now - at) > PARKED_FOR_MS));
      if (waiting.length === 0) this.#parked.delete(service);
      else this.#parked.set(service, waiting);
    }
    const time = this.#monotonic();
    for (const until of [this.#paused, this.#fetchAgain]) until.removeIf((end) => end <= time);
  }

  stats(): ContractStats {
    return {
      checked: this.#checked,
      queued: this.#queue.size + this.#inThread,
      parked: [...this.#parked.values()].reduce((sum, spans) => sum + spans.length, 0),
      schemas: this.#schemas.size,
      unchecked: this.#unchecked,
      checks_exceeded: this.#exceeded,
      fetch_failures: this.#fetchFailures,
      schema_failures: this.#schemaFailures,
      violations: this.violations.size,
      max_violations: this.violations.limit,
      violations_total: this.violations.total,
      violations_dropped: this.violations.dropped,
      not_checked: this.#givenUp.list(),
      not_checked_dropped: this.#givenUp.dropped,
      origins_dropped: this.#origins.dropped,
    };
  }

  /** Ends the checks, and their thread. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear();
    this.#parked.clear();
    await this.#worker.close();
    await this.#turn;
  }

  #awaitCaller({ request, response, ...span }: CheckedSpan): void {
    const isCheckable = this.#schemas.has(span.callee) || request !== undefined || response !== undefined;
    if (!isCheckable || this.#closed) return;
    this.#unnamed.set(keyOf(span.traceId, span.spanId), { request: span, violations: [], caller: '' });
  }

  #park(span: CheckedSpan): void {
    let spans = this.#parked.get(span.callee);
    if (spans === undefined) {
      if (this.#parked.size >= MAX_PARKED_SERVICES) return this.#giveUp([span]);
      this.#parked.set(span.callee, (spans = []));
    }
    spans.push(span);
    if (spans.length > MAX_PARKED_PER_SERVICE) this.#giveUp(spans.splice(0, 1));
  }

  #judge(span: CheckedSpan): void {
    const operations = this.#closed ? undefined : this.#schemas.get(span.callee)?.operations;
    const request = { ...span, caller: this.#callerOf(span) };
    for (const problem of operations ? undocumentedOf(request, operations) : []) this.#report(span, problem);
  }

  // A request may have waited for a document meanwhile.
  #callerOf({ traceId, spanId, caller }: CheckedSpan): string {
    return caller === '' ? (this.#unnamed.get(keyOf(traceId, spanId))?.caller ?? '') : caller;
  }

  #enqueue(span: CheckedSpan): void {
    this.#judge(span);
    const dropped = this.#queue.add(span);
    if (dropped) this.#giveUp([dropped]);
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#queue.size > 0 && !this.#closed) {
      if (this.#queue.size < CHECKS_PER_BATCH) await setTimeout(GATHER_MS, undefined, { ref: false });
      await this.#checkBatch(this.#queue.take(CHECKS_PER_BATCH));
    }
    this.#isWorking = false;
  }

  async #checkBatch(spans: readonly CheckedSpan[]): Promise<void> {
    for (const span of spans) this.#text -= lengthOf(span);
    const checked = spans.filter((span) => this.#isToBeChecked(span));
    const tasks = checked.map((span) => this.#tasksOf(span));
    this.#inThread = spans.length;
    const results = [...(await this.#outcomesOf(tasks.flat()))];
    this.#inThread = 0;
    if (this.#closed) return;
    checked.forEach((span, index) => {
      const own = tasks[index] as readonly BodyCheck[];
      this.#conclude(span, own, results.splice(0, own.length));
    });
  }

  #isToBeChecked(span: CheckedSpan): boolean {
    const { callee } = span;
    const isPaused = (this.#paused.get(callee) ?? 0) > this.#monotonic();
    const isKnown = this.#schemas.get(callee)?.operations !== undefined;
    if (isPaused) this.#skip(callee);
    else if (!isKnown) this.#unchecked++;
    return isKnown && !isPaused;
  }

  #skip(service: string): void {
    this.#unchecked++;
    this.#note({ service, method: '', route: '', direction: '', reason: PAUSED });
  }

  #tasksOf(span: CheckedSpan): readonly BodyCheck[] {
    const { callee, method, route, status } = span;
    const schema = this.#schemas.get(callee);
    // Looked up here, so that routes that are not in the document do not reach the thread.
    const found = schema?.operations?.find(method, route);
    if (schema === undefined || found === undefined) return [];
    return (['request', 'response'] as const).flatMap((direction) => {
      const text = span[direction];
      const mediaType = direction === 'request' ? span.requestType : span.responseType;
      if (text === undefined && mediaType === undefined) return [];
      // Content that must not be there has no schema, whatever the document says by default.
      if (direction === 'response' && WITHOUT_CONTENT.has(status)) return [];
      if (found === SEVERAL) {
        this.#note({ service: callee, method, route, direction, reason: UNCLEAR });
        return [];
      }
      const operation = nameOf(found);
      return [{ document: schema.number, direction, operation, status, mediaType, text }];
    });
  }

  async #outcomesOf(tasks: readonly Task[]): Promise<readonly Result[]> {
    try {
      return await this.#inTurn(tasks);
    } catch (error) {
      const failure = messageOf(error);
      this.options.log?.error({ err: error }, failure);
      return tasks.map(() => ({ failure }));
    }
  }

  // The thread does one thing at a time: a batch of checks, or a document to read.
  #inTurn(tasks: readonly Task[]): Promise<readonly Result[]> {
    if (tasks.length === 0) return Promise.resolve([]);
    const mine = this.#turn.then(() => this.#worker.run(tasks));
    // The next caller waits for its end, even if it fails.
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  #giveUp(spans: readonly CheckedSpan[]): void {
    this.#unchecked += spans.length;
    for (const span of spans) this.#text -= lengthOf(span);
  }

  async #fetch(service: string, hash: string, url: string): Promise<void> {
    this.#fetchAgain.set(service, this.#monotonic() + FETCH_EVERY_MS);
    try {
      const bytes = await this.options.fetchDocument(url);
      if (this.#closed) return;
      await this.#read(service, hash, bytes);
    } catch (error) {
      // A later heartbeat tries again.
      this.#fetchFailures++;
      const reason = messageOf(error);
      this.options.log?.warn({ service, err: error }, `the OpenAPI document of ${service} was not fetched: ${reason}`);
    }
  }

  async #read(service: string, hash: string, bytes: Uint8Array): Promise<void> {
    const number = ++this.#documents;
    const text = new SharedArrayBuffer(bytes.length);
    new Uint8Array(text).set(bytes);
    this.#texts.set(number, text);
    const [result = { skipped: true as const }] = await this.#inTurn([{ read: number }]).catch((error: unknown) => {
      this.#texts.delete(number);
      throw error;
    });
    if (this.#closed) return;
    const operations = 'operations' in result ? new Operations(result.operations) : undefined;
    if (operations === undefined) {
      this.#schemaFailures++;
      const reason = `its OpenAPI document cannot be used: ${reasonOf(result, this.options.contractDeadline)}`;
      this.#note({ service, method: '', route: '', direction: '', reason });
    }
    const isExceeded = 'exceeded' in result;
    if (isExceeded) this.#fetchAgain.set(service, this.#monotonic() + this.#pauseMs);
    // A document that took too long is tried again with a later heartbeat, because the machine may have been busy.
    this.#remember(service, { hash: isExceeded ? '' : hash, number, text, operations });
  }

  #now(): number {
    return this.options.clock.now();
  }

  #monotonic(): number {
    return this.options.clock.monotonic();
  }

  get #pauseMs(): number {
    return PAUSE_DEADLINES * this.options.contractDeadline;
  }

  #remember(service: string, schema: Schema): void {
    this.#forget(service);
    this.#schemas.set(service, schema);
    const bytes = () => [...this.#schemas.values()].reduce((sum, { text }) => sum + text.byteLength, 0);
    while (this.#schemas.size > MAX_DOCUMENTS || (this.#schemas.size > 1 && bytes() > MAX_DOCUMENT_BYTES)) {
      this.#forget(this.#schemas.keys().next().value as string);
    }
    const parked = this.#parked.get(service) ?? [];
    this.#parked.delete(service);
    if (schema.operations === undefined) this.#giveUp(parked);
    else for (const span of parked) this.#enqueue(span);
  }

  #forget(service: string): void {
    const known = this.#schemas.get(service);
    if (known) this.#texts.delete(known.number);
    this.#schemas.delete(service);
  }

  #conclude(span: CheckedSpan, tasks: readonly BodyCheck[], results: readonly Result[]): void {
    if (results.some((result) => 'skipped' in result)) this.#skip(span.callee);
    else this.#checked++;
    tasks.forEach(({ direction }, index) => this.#concludeBody(span, direction, results[index] as Result));
  }

  #concludeBody(span: CheckedSpan, direction: Direction, result: Result): void {
    if ('skipped' in result) return;
    if ('problems' in result) {
      for (const problem of result.problems) this.#report(span, { direction, ...problem });
      return;
    }
    const { callee: service, method, route } = span;
    const reason = reasonOf(result, this.options.contractDeadline);
    if ('exceeded' in result) {
      this.#exceeded++;
      this.#paused.set(service, this.#monotonic() + this.#pauseMs);
    } else {
      this.#schemaFailures++;
    }
    this.#note({ service, method, route, direction, reason });
  }

  #note(check: Parameters<GivenUp['add']>[0]): void {
    const isNew = this.#givenUp.add(check, this.#now());
    if (isNew) this.options.log?.warn({ service: check.service }, `not checked: ${inWords(check)}`);
  }

  #report(span: CheckedSpan, { direction, path, rule, expected, observed, severity }: RequestProblem): void {
    const { traceId, spanId, callee, method, route } = span;
    const caller = this.#callerOf(span);
    const now = this.#now();
    const timestamp = `${Math.floor(now)}000000`;
    const problem = { direction, path, rule, expected, observed, severity };
    const found = { trace_id: traceId, span_id: spanId, caller, callee, method, route, ...problem, timestamp };
    const violation = { ...found, origin: this.#origins.add(found) };
    const unnamed = caller === '' ? this.#unnamed.get(keyOf(traceId, spanId)) : undefined;
    if (unnamed && unnamed.violations.length < MAX_UNNAMED_VIOLATIONS) unnamed.violations.push(violation);
    const group = this.violations.add(violation, now);
    this.options.onViolation?.(group);
  }
}

function keyOf(traceId: string, spanId: string): string {
  return traceId + spanId;
}

const UNCLEAR = 'its path is not recorded in full, and several operations of the document fit the rest';
const PAUSED = 'paused, because an earlier check of the service had to be given up';

const TOO_MUCH: Readonly<Record<Exceeded, (deadline: number) => string>> = {
  pattern: (deadline) => `a pattern of its schema takes longer than ${deadline} ms to match`,
  time: (deadline) => `it takes longer than ${deadline} ms`,
  memory: () => `it takes more than ${MAX_HEAP} MiB of memory`,
};

function reasonOf(result: Result, deadline: number): string {
  if ('exceeded' in result) return TOO_MUCH[result.exceeded](deadline);
  return 'failure' in result ? result.failure : 'nothing came of it';
}

function lengthOf({ request, response }: CheckedSpan): number {
  return (request?.length ?? 0) + (response?.length ?? 0);
}
