import type { Logger } from '../../../kernel/index.js';
import type { ContractStats, Direction, Violation, ViolationGroup } from '../../../kernel/contracts/fleet-wire.js';
import { isObject } from './json-object.js';
import { OpenApiDocument } from './openapi-document.js';
import type { PayloadProblem, PayloadSchema } from './payload-schema.js';
import { ViolationRing } from './violation-ring.js';

/** Spans that wait for their check, schemas that wait for their fetch, spans that wait for a schema. */
const MAX_QUEUED = 2_048;
const MAX_FETCHES = 128;
const MAX_PARKED_PER_SERVICE = 256;
const MAX_PARKED_SERVICES = 64;
/** Characters of bodies that wait in queues. */
const MAX_QUEUED_TEXT = 16 * 1024 * 1024;
/** Spans checked before the event loop gets its turn. */
const CHECKS_PER_TURN = 20;
/** How long a span waits for the schema of its service, in milliseconds. */
const PARKED_FOR_MS = 60_000;
/** Services whose documents are kept. */
const MAX_DOCUMENTS = 500;

/** A span with bodies, as the checker needs it. */
export interface CheckedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly caller: string;
  readonly callee: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** JSON text of the bodies. */
  readonly request?: string;
  readonly response?: string;
  readonly at: number;
}

/** What the checker is made of. */
export interface ContractCheckerOptions {
  readonly maxViolations: number;
  /** Milliseconds. */
  readonly violationDedupeWindow: number;
  /** Fetches a document; rejects when it is refused, unreachable or no JSON. */
  readonly fetchDocument: (url: string) => Promise<unknown>;
  readonly now: () => number;
  readonly log?: Logger;
  readonly onViolation?: (group: ViolationGroup) => void;
}

interface Schema {
  readonly hash: string;
  readonly document: OpenApiDocument | undefined;
}

/**
 * Checks bodies against the OpenAPI documents that services advertise, beside the intake of spans: queues are bounded, and
 * spans that came before the schema of their service wait for it.
 */
export class ContractChecker {
  readonly violations: ViolationRing;
  readonly #schemas = new Map<string, Schema>();
  readonly #fetching = new Set<string>();
  readonly #queue: CheckedSpan[] = [];
  readonly #parked = new Map<string, CheckedSpan[]>();
  #text = 0;
  #isWorking = false;
  #checked = 0;
  #unchecked = 0;
  #fetchFailures = 0;
  #schemaFailures = 0;
  #closed = false;

  constructor(private readonly options: ContractCheckerOptions) {
    this.violations = new ViolationRing(options.maxViolations, options.violationDedupeWindow);
  }

  /** Whether a service's document describes an operation; undefined while there is no document. */
  describes(service: string, method: string, route: string): boolean | undefined {
    return this.#schemas.get(service)?.document?.describes(method, route);
  }

  /** Takes a span with bodies. Never waits. */
  submit(span: CheckedSpan): void {
    const length = lengthOf(span);
    if (this.#closed || this.#text + length > MAX_QUEUED_TEXT) {
      this.#unchecked++;
      return;
    }
    this.#text += length;
    if (this.#schemas.get(span.callee)?.document === undefined) this.#park(span);
    else this.#enqueue(span);
  }

  /** Learns from a heartbeat where a service's document is; fetches it when its digest is new. */
  advertise(service: string, hash: string, url: string): void {
    if (this.#closed || this.#schemas.get(service)?.hash === hash || this.#fetching.has(service)) return;
    if (this.#fetching.size >= MAX_FETCHES) return;
    this.#fetching.add(service);
    void this.#fetch(service, hash, url).finally(() => this.#fetching.delete(service));
  }

  /** Gives spans up that have waited too long. */
  sweep(now: number): void {
    for (const [service, spans] of this.#parked) {
      const waiting = spans.filter(({ at }) => now - at <= PARKED_FOR_MS);
      this.#giveUp(spans.filter(({ at }) => now - at > PARKED_FOR_MS));
      if (waiting.length === 0) this.#parked.delete(service);
      else this.#parked.set(service, waiting);
    }
  }

  stats(): ContractStats {
    return {
      checked: this.#checked,
      queued: this.#queue.length,
      parked: [...this.#parked.values()].reduce((sum, spans) => sum + spans.length, 0),
      schemas: this.#schemas.size,
      unchecked: this.#unchecked,
      fetch_failures: this.#fetchFailures,
      schema_failures: this.#schemaFailures,
      violations: this.violations.size,
      max_violations: this.violations.limit,
      violations_total: this.violations.total,
      violations_dropped: this.violations.dropped,
    };
  }

  close(): void {
    this.#closed = true;
    this.#queue.length = 0;
    this.#parked.clear();
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

  #enqueue(span: CheckedSpan): void {
    if (this.#queue.length >= MAX_QUEUED) return this.#giveUp([span]);
    this.#queue.push(span);
    if (this.#isWorking) return;
    this.#isWorking = true;
    setImmediate(() => this.#work());
  }

  #work(): void {
    for (const span of this.#queue.splice(0, CHECKS_PER_TURN)) {
      this.#text -= lengthOf(span);
      this.#check(span);
    }
    this.#isWorking = this.#queue.length > 0;
    if (this.#isWorking) setImmediate(() => this.#work());
  }

  #giveUp(spans: readonly CheckedSpan[]): void {
    this.#unchecked += spans.length;
    for (const span of spans) this.#text -= lengthOf(span);
  }

  async #fetch(service: string, hash: string, url: string): Promise<void> {
    try {
      const document = await this.options.fetchDocument(url);
      if (this.#closed) return;
      this.#remember(service, { hash, document: isObject(document) ? new OpenApiDocument(document) : undefined });
    } catch (error) {
      // The next heartbeat tries again.
      this.#fetchFailures++;
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log?.warn({ service, err: error }, `the OpenAPI document of ${service} was not fetched: ${reason}`);
    }
  }

  #remember(service: string, schema: Schema): void {
    this.#schemas.delete(service);
    if (this.#schemas.size >= MAX_DOCUMENTS) this.#schemas.delete(this.#schemas.keys().next().value as string);
    this.#schemas.set(service, schema);
    const parked = this.#parked.get(service) ?? [];
    this.#parked.delete(service);
    if (schema.document === undefined) this.#giveUp(parked);
    else for (const span of parked) this.#enqueue(span);
  }

  #check(span: CheckedSpan): void {
    const document = this.#schemas.get(span.callee)?.document;
    if (document === undefined) {
      this.#unchecked++;
      return;
    }
    this.#checked++;
    const { method, route, status } = span;
    this.#checkBody(span, 'request', span.request, () => document.requestSchema(method, route));
    this.#checkBody(span, 'response', span.response, () => document.responseSchema(method, route, status));
  }

  #checkBody(
    span: CheckedSpan,
    direction: Direction,
    text: string | undefined,
    find: () => PayloadSchema | undefined,
  ): void {
    if (text === undefined) return;
    try {
      for (const problem of find()?.problems(JSON.parse(text)) ?? []) this.#report(span, direction, problem);
    } catch (error) {
      this.#schemaFailures++;
      const where = `${span.method} ${span.route} of ${span.callee}`;
      this.options.log?.warn(
        { err: error, service: span.callee },
        `the ${direction} schema of ${where} cannot be used`,
      );
    }
  }

  #report(span: CheckedSpan, direction: Direction, problem: PayloadProblem): void {
    const { traceId, spanId, caller, callee, method, route } = span;
    const now = this.options.now();
    const violation: Violation = {
      trace_id: traceId, span_id: spanId, caller, callee, method, route, direction,
      ...problem, timestamp: `${Math.floor(now)}000000`,
    }; // prettier-ignore
    const group = this.violations.add(violation, now);
    this.options.onViolation?.(group);
  }
}

function lengthOf({ request, response }: CheckedSpan): number {
  return (request?.length ?? 0) + (response?.length ?? 0);
}
