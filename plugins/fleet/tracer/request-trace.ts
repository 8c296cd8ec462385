import type { HeaderCarrier, TraceContext } from '../../../kernel/contracts/fleet.js';
import type { Baggage } from './baggage.js';
import type { FinishedSpan } from './finished-span.js';
import { newSpanId } from './span-ids.js';
import { callingSpanOf, traceIdOf } from './traceparent.js';

/** Bytes of a tag's key and value, and tags of one span; more is cut or left out, and counted. */
export const MAX_TAG_KEY_BYTES = 64;
export const MAX_TAG_VALUE_BYTES = 128;
export const MAX_TAGS = 32;

/** Counters of tags since the start of the tracer. */
export interface TagCounters {
  tagsDropped: number;
  tagsTruncated: number;
  baggageDropped: number;
}

/** What a tracer remembers while one request is answered. */
export class RequestTrace implements TraceContext {
  /** Tags set here; made on the first tag. */
  tags: Map<string, string> | undefined;
  /** Scrubbed JSON of the request's body, while payloads are captured. */
  requestPayload: string | undefined;

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

  // Cut out when somebody asks, as the id of the span is made.
  get traceId(): string {
    return this.caller === undefined ? this.rootId : traceIdOf(this.caller);
  }

  /** The calling span; undefined for a root. */
  get parentId(): string | undefined {
    return this.caller === undefined ? undefined : callingSpanOf(this.caller);
  }

  /** Made when somebody asks: nobody does for a request that is not sampled, calls nothing and succeeds. */
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

  /** Own tags and inherited ones; own ones win. Undefined when there are none. */
  allTags(): Map<string, string> | undefined {
    if (this.inherited === undefined) return this.tags && new Map(this.tags);
    const all = new Map(this.tags);
    for (const [key, value] of this.inherited) if (all.size < MAX_TAGS && !all.has(key)) all.set(key, value);
    return all;
  }
}

/** Headers of an incoming request, names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What a request's trace needs of its tracer. */
export abstract class TraceOwner {
  abstract readonly tagCounters: TagCounters;
  /** Begins the trace of a request from its headers. */
  abstract begin(headers: RequestHeaders): RequestTrace;
  /** Writes the headers with which the trace goes on in another service. */
  abstract inject(trace: RequestTrace, carrier: HeaderCarrier): void;
  /** Queues a span. */
  abstract record(span: FinishedSpan): void;
}

/** Cuts a text to a number of UTF-8 bytes, never inside a character. */
export function cutTo(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const encoded = Buffer.from(text);
  let end = bytes;
  // The bytes after the first one of a character begin with the bits 10.
  while (end > 0 && ((encoded[end] as number) & 0xc0) === 0x80) end--;
  return encoded.toString('utf8', 0, end);
}
