import type { HeaderCarrier, TraceContext } from '../../../kernel/contracts/fleet.js';
import type { Baggage } from './baggage.js';
import type { ClientCall } from './client-call.js';
import { FinishedSpan } from './finished-span.js';
import { newSpanId } from './span-ids.js';
import { epochMs } from './trace-clock.js';
import { callingSpanOf, formatTraceparent, traceIdOf } from './traceparent.js';

/** Bytes of a tag's key and value, and tags of one span; more is cut or left out, and counted. */
const MAX_TAG_KEY_BYTES = 64;
const MAX_TAG_VALUE_BYTES = 128;
const MAX_TAGS = 32;

/** Counters of tags since the start of the tracer. */
export interface TagCounters {
  tagsDropped: number;
  tagsTruncated: number;
  baggageDropped: number;
}

/** The trace of one request while it is handled. */
export class RequestTrace implements TraceContext {
  /** Tags set here; made on the first tag. */
  tags: Map<string, string> | undefined;
  /** Scrubbed JSON of the request's body, while payloads are captured. */
  requestPayload: string | undefined;
  /** The `baggage` header of the W3C that came with the request, to be passed on. */
  w3cBaggage: string | undefined;
  /** Running calls; made with the first one. */
  calls: Set<ClientCall> | undefined;
  /** Span ids that were written into the headers of calls, with the time of writing; `taken` once the call was observed. */
  #announced: Map<string, number | typeof TAKEN> | undefined;
  #isOver = false;

  #spanId: string | undefined = undefined;

  /**
   * @param caller - its `traceparent` header, well-formed; undefined for a root
   * @param rootId - trace of a root
   */
  constructor(
    readonly owner: TraceOwner,
    private readonly caller: string | undefined,
    private readonly rootId: string,
    readonly sampled: boolean,
    readonly tracestate: string | undefined,
    readonly inherited: Baggage | undefined,
  ) {}

  // Computed on demand, like the span id.
  get traceId(): string {
    return this.caller === undefined ? this.rootId : traceIdOf(this.caller);
  }

  /** The calling span; undefined for a root. */
  get parentId(): string | undefined {
    return this.caller === undefined ? undefined : callingSpanOf(this.caller);
  }

  /** Made on demand: a successful request without calls that is not sampled needs none. */
  get spanId(): string {
    return (this.#spanId ??= newSpanId());
  }

  /** Sets a tag, within the limits. */
  tag(key: string, value: string): void {
    if (key === '') return;
    const counters = this.owner.tagCounters;
    const [name, text] = [cutTo(key, MAX_TAG_KEY_BYTES), cutTo(value, MAX_TAG_VALUE_BYTES)];
    if (name !== key || text !== value) counters.tagsTruncated++;
    this.tags ??= new Map();
    if (this.tags.size >= MAX_TAGS && !this.tags.has(name)) counters.tagsDropped++;
    else this.tags.set(name, text);
  }

  /** A child context: the same trace and tags, with a new span id. */
  child(): RequestTrace {
    const { traceId, spanId, sampled, tracestate } = this;
    const caller = formatTraceparent({ traceId, spanId, sampled });
    const child = new RequestTrace(this.owner, caller, '', sampled, tracestate, this.allTags());
    child.w3cBaggage = this.w3cBaggage;
    return child;
  }

  /**
   * The span id for the next call. It is written into the call's headers, so that the callee's span is below that of the call. With too
   * many calls, and after the end of this span, the id of this span.
   */
  announceCall(): string {
    // Nobody would forget a later announcement: work that goes on after its request would fill the memory.
    if (this.#isOver) return this.spanId;
    this.#announced ??= new Map();
    if (this.#announced.size >= MAX_ANNOUNCED) return this.spanId;
    const spanId = newSpanId();
    this.#announced.set(spanId, epochMs());
    announcers.set(spanId, this);
    return spanId;
  }

  /** The id, if a call was announced under it and this is the first call with it. */
  takeAnnounced(spanId: string): string | undefined {
    if (typeof this.#announced?.get(spanId) !== 'number') return undefined;
    this.#announced.set(spanId, TAKEN);
    return spanId;
  }

  /** Whether a call with an announced id was observed already. */
  hasTaken(spanId: string): boolean {
    return this.#announced?.get(spanId) === TAKEN;
  }

  /**
   * Called when this span ends: records calls whose responses were not read, and announced calls that were not observed, so that the
   * callee's span has its parent.
   */
  endCalls(): void {
    this.#isOver = true;
    if (this.calls) for (const call of this.calls) call.leave();
    if (this.#announced === undefined) return;
    for (const [spanId, at] of this.#announced) {
      announcers.delete(spanId);
      if (at !== TAKEN && this.sampled) this.owner.record(unseenCall(this, spanId, at));
    }
    this.#announced = undefined;
  }

  /** Own and inherited tags (own ones win); undefined when there are none. */
  allTags(): Map<string, string> | undefined {
    if (this.inherited === undefined) return this.tags && new Map(this.tags);
    const all = new Map(this.tags);
    for (const [key, value] of this.inherited) if (all.size < MAX_TAGS && !all.has(key)) all.set(key, value);
    return all;
  }
}

const TAKEN = 'taken';
/** Calls of one request whose headers are remembered. */
const MAX_ANNOUNCED = 256;
const announcers = new Map<string, RequestTrace>();

/** The trace that has announced a call under a span id. */
export function announcedBy(spanId: string): RequestTrace | undefined {
  return announcers.get(spanId);
}

function unseenCall({ traceId, spanId: parent }: RequestTrace, spanId: string, startMs: number): FinishedSpan {
  const name = 'propagated';
  return new FinishedSpan(
    traceId, spanId, parent, 'client', name, 'CALL', 0, startMs, 0, undefined, undefined, undefined, undefined, '',
  ); // prettier-ignore
}

/** Headers of an incoming request, names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The part of a tracer that a request's trace uses. */
export abstract class TraceOwner {
  abstract readonly tagCounters: TagCounters;
  /** Whether calls leave spans of their own. */
  tracesCalls = false;
  /** Begins the trace of a request from its headers. */
  abstract begin(headers: RequestHeaders): RequestTrace;
  /** Writes the headers that continue the trace in another service. */
  abstract inject(trace: RequestTrace, carrier: HeaderCarrier): void;
  /** The same with this span as parent, because it is a call itself. */
  abstract injectSpan(trace: RequestTrace, carrier: HeaderCarrier): void;
  /** Queues a span. */
  abstract record(span: FinishedSpan): void;
}

/** Cuts a text to a number of UTF-8 bytes, never inside a character. */
function cutTo(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const encoded = Buffer.from(text);
  let end = bytes;
  // Continuation bytes of UTF-8 begin with the bits 10.
  while (end > 0 && ((encoded[end] as number) & 0xc0) === 0x80) end--;
  return encoded.toString('utf8', 0, end);
}
