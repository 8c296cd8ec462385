import { TRACE_ID } from '../../../kernel/contracts/fleet.js';
import type { SpanKind } from '../../../kernel/contracts/fleet-wire.js';
import { Interner } from './interner.js';
import { StoredSpan, type StoredPayload } from './stored-span.js';

/** Characters that are kept of each text; longer ones are cut. */
const LIMITS = {
  service: 128,
  route: 512,
  method: 32,
  error: 256,
  tagKey: 64,
  tagValue: 128,
  attribute: 256,
  headerName: 128,
} as const;
/** Tags and header names of one span. */
const MAX_TAGS = 32;
const MAX_HEADER_NAMES = 64;
const MAX_ATTRIBUTES = 32;
const MAX_LINKS = 32;
/** The smallest accepted share; below it one span would stand for more than a million. */
const LEAST_PROBABILITY = 1e-6;
/** Combinations of header names that are remembered. */
const MAX_HEADER_LISTS = 2_000;
/** Characters of a timeline as JSON. */
const MAX_TIMELINE = 65_536;
const MAX_PAYLOAD = 65_536;

/** A media type without parameters (RFC 9110, section 8.3.1). */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,64}$/;

const SPAN_ID = /^[0-9a-f]{16}$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
const NO_TAGS: readonly string[] = [];

/** Latest accepted start: the year 2200. Any other is replaced by the time of arrival. */
const LATEST_MS = 7_258_118_400_000;
/** Longest accepted duration, in milliseconds: thirty days. */
const LONGEST_MS = 2_592_000_000;

const KINDS: ReadonlySet<unknown> = new Set<SpanKind>([
  'server',
  'client',
  'query',
  'producer',
  'consumer',
  'event',
  'internal',
]);

/** A span that was read, with the trace it belongs to and the bodies to check. */
export interface ReadSpan {
  readonly traceId: string;
  readonly span: StoredSpan;
  /** Who called, as the span says. */
  readonly caller: string;
}

type Wire = Readonly<Record<string, unknown>>;

/** Reads spans from the wire: identity strictly, everything else with limits, so that no field can break a store. */
export class SpanReader {
  readonly #names = new Interner(10_000);
  readonly #headers = new Map<string, string>();

  /**
   * @param wire - one element of a batch
   * @param now - time of arrival, for spans without a believable start
   * @returns undefined when an id is malformed
   */
  read(wire: unknown, now: number): ReadSpan | undefined {
    if (typeof wire !== 'object' || wire === null) return undefined;
    const { trace_id: traceId, span_id: spanId, parent_span_id: parent } = wire as Wire;
    if (!isTraceId(traceId) || !isSpanId(spanId)) return undefined;
    const parentId = parent === undefined || parent === null || parent === '' ? undefined : parent;
    if (parentId !== undefined && !isSpanId(parentId)) return undefined;
    const caller = this.#names.of(cut((wire as Wire)['caller'], LIMITS.service));
    return { traceId, span: this.#span(wire as Wire, spanId, parentId, now), caller };
  }

  #span(wire: Wire, spanId: string, parentId: string | undefined, now: number): StoredSpan {
    const { kind, header_names: headers, error } = wire;
    const start = startOf(wire['start_ns'], now);
    return new StoredSpan(
      spanId,
      parentId,
      this.#names.of(cut(wire['service'], LIMITS.service)),
      this.#names.of(cut(wire['route'], LIMITS.route)),
      this.#names.of(cut(wire['method'], LIMITS.method)),
      statusOf(wire['status']),
      KINDS.has(kind) ? (kind as SpanKind) : 'server',
      start.ms,
      start.ns,
      durationOf(wire['duration_ms']),
      typeof error === 'string' && error !== '' ? cut(error, LIMITS.error) : undefined,
      this.#tags(wire['tags']),
      Array.isArray(headers) ? this.#headerNames(headers) : undefined,
      payloadOf(wire),
      this.#attributes(wire['attributes']),
      linksOf(wire['links']),
      probabilityOf(wire['probability']),
    );
  }

  #tags(tags: unknown): readonly string[] {
    if (typeof tags !== 'object' || tags === null) return NO_TAGS;
    const list: string[] = [];
    for (const key in tags) {
      const value = (tags as Wire)[key];
      if (typeof value !== 'string' || key === '' || list.length >= 2 * MAX_TAGS) continue;
      list.push(this.#names.of(cut(key, LIMITS.tagKey)), cut(value, LIMITS.tagValue));
    }
    // A copy, because a list that grew by pushing reserves room for twice as many.
    return list.length === 0 ? NO_TAGS : list.slice();
  }

  // Interned, because names and most values repeat: `server.address`, `https`.
  #attributes(attributes: unknown): readonly (string | number)[] {
    if (typeof attributes !== 'object' || attributes === null) return NO_TAGS;
    const list: (string | number)[] = [];
    for (const key in attributes) {
      const value = (attributes as Wire)[key];
      if (key === '' || list.length >= 2 * MAX_ATTRIBUTES) continue;
      const name = this.#names.of(cut(key, LIMITS.tagKey));
      if (typeof value === 'string') list.push(name, this.#names.of(cut(value, LIMITS.attribute)));
      else if (Number.isFinite(value)) list.push(name, value as number);
    }
    return list.length === 0 ? NO_TAGS : list.slice();
  }

  // Services see few combinations of headers: the result for each is cached. Of anything but texts joining may exhaust the stack.
  #headerNames(names: readonly unknown[]): string | undefined {
    const isPlain = names.length <= MAX_HEADER_NAMES && names.every((name) => typeof name === 'string');
    const given = isPlain ? names.join() : '';
    const known = this.#headers.get(given);
    if (known !== undefined) return known;
    const plain = names
      .slice(0, MAX_HEADER_NAMES)
      .filter((name) => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name));
    const joined = plain.join();
    if (joined === '') return undefined;
    if (this.#headers.size >= MAX_HEADER_LISTS) this.#headers.clear();
    if (given === joined) this.#headers.set(given, joined);
    return joined;
  }
}

/** Whether a value is a trace id of the W3C: 32 lower-case hex digits, not all zero. */
export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && value.length === 32 && TRACE_ID.test(value) && value !== NO_TRACE;
}

function isSpanId(value: unknown): value is string {
  return typeof value === 'string' && value.length === 16 && SPAN_ID.test(value) && value !== NO_SPAN;
}

function cut(value: unknown, limit: number): string {
  if (typeof value !== 'string') return '';
  // A slice would keep the whole text alive; a buffer makes a copy.
  return value.length <= limit ? value : Buffer.from(value.slice(0, limit)).toString();
}

function statusOf(value: unknown): number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 999 ? (value as number) : 0;
}

function durationOf(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? Math.min(value, LONGEST_MS) : 0;
}

function startOf(value: unknown, now: number): { readonly ms: number; readonly ns: number } {
  if (typeof value === 'string' && /^\d{1,20}$/.test(value)) {
    return believed(Number(value.slice(0, -6) || 0), Number(value.slice(-6)), now);
  }
  if (typeof value === 'number' && value >= 0) {
    const ms = Math.floor(value / 1e6);
    return believed(ms, Math.min(999_999, Math.max(0, Math.round(value - ms * 1e6))), now);
  }
  return { ms: Math.floor(now), ns: 0 };
}

function believed(ms: number, ns: number, now: number) {
  return ms > LATEST_MS ? { ms: Math.floor(now), ns: 0 } : { ms, ns };
}

function linksOf(links: unknown): string | undefined {
  if (!Array.isArray(links)) return undefined;
  const read = links.slice(0, MAX_LINKS).flatMap((link: unknown) => {
    const { trace_id: traceId, span_id: spanId } = (link ?? {}) as Wire;
    return isTraceId(traceId) && isSpanId(spanId) ? [`${traceId}${spanId}`] : [];
  });
  return read.length === 0 ? undefined : read.join();
}

function probabilityOf(value: unknown): number {
  return typeof value === 'number' && value >= LEAST_PROBABILITY && value < 1 ? value : 1;
}

function payloadOf(wire: Wire): StoredPayload | undefined {
  const { request_payload: request, response_payload: response, timeline } = wire;
  const requestType = mediaTypeOf(wire['request_media_type']);
  const responseType = mediaTypeOf(wire['response_media_type']);
  const kept = {
    request: jsonOf(request, MAX_PAYLOAD),
    response: jsonOf(response, MAX_PAYLOAD),
    timeline: Array.isArray(timeline) ? jsonOf(timeline, MAX_TIMELINE) : undefined,
  };
  const bytes = (kept.request?.length ?? 0) + (kept.response?.length ?? 0) + (kept.timeline?.length ?? 0);
  return bytes === 0 && !requestType && !responseType ? undefined : { ...kept, requestType, responseType, bytes };
}

function mediaTypeOf(value: unknown): string | undefined {
  return typeof value === 'string' && MEDIA_TYPE.test(value) ? value.toLowerCase() : undefined;
}

function jsonOf(value: unknown, limit: number): string | undefined {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value);
    return text.length <= limit ? text : undefined;
  } catch (error) {
    // Nested deeper than the stack allows: parsing is not recursive, but all other code is.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
