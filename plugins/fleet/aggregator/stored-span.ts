import type { SpanKind, SpanLink, SpanRecord } from '../../../kernel/contracts/fleet-wire.js';

/** A span as the aggregator keeps it: always the same fields, strings shared, bodies as text. */
export class StoredSpan {
  /** Whether it waits for its parent to arrive before the edge between both is drawn. */
  awaitsParent = false;

  constructor(
    readonly spanId: string,
    readonly parentId: string | undefined,
    readonly service: string,
    readonly route: string,
    readonly method: string,
    readonly status: number,
    readonly kind: SpanKind,
    /** Whole milliseconds since the epoch, and the nanoseconds above them: one number cannot hold both. */
    readonly startMs: number,
    readonly startNs: number,
    readonly durationMs: number,
    readonly error: string | undefined,
    /** Keys and values alternate: an array keeps one hidden class whatever the keys are. */
    readonly tags: readonly string[],
    /** Names joined with commas: services see few combinations. */
    readonly headerNames: string | undefined,
    public payload: StoredPayload | undefined,
    /** Names and values alternate. */
    readonly attributes: readonly (string | number)[],
    /** Trace and span id without anything between, joined with commas. */
    readonly links: string | undefined,
    /** Share of the spans like this one that are recorded. */
    readonly probability: number,
  ) {}

  /** The same span with another id, below another parent. */
  placed(spanId: string, parentId: string | undefined): StoredSpan {
    return Object.assign(Object.create(StoredSpan.prototype) as object, this, { spanId, parentId }) as StoredSpan;
  }

  /** Number of spans that this one stands for, including similar ones that were not recorded. */
  get weight(): number {
    return 1 / this.probability;
  }

  /** The value of an attribute. */
  attribute(name: string): string | number | undefined {
    const { attributes } = this;
    for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return attributes[at + 1];
    return undefined;
  }

  get failed(): boolean {
    return this.status >= 500 || this.error !== undefined;
  }

  /** Start in milliseconds with fractions: exact enough to order and to subtract. */
  get start(): number {
    return this.startMs + this.startNs / 1e6;
  }

  get end(): number {
    return this.start + this.durationMs;
  }
}

/** Bodies and a timeline, which are large and rare, as JSON text; and the media types, also of bodies that are not recorded. */
export interface StoredPayload {
  readonly request: string | undefined;
  readonly response: string | undefined;
  readonly requestType: string | undefined;
  readonly responseType: string | undefined;
  readonly timeline: string | undefined;
  readonly bytes: number;
}

/** Nanoseconds since the epoch as decimal text. */
export function startNanoseconds({ startMs, startNs }: StoredSpan): string {
  return startMs === 0 ? String(startNs) : `${startMs}${String(startNs).padStart(6, '0')}`;
}

/** A span as it is sent out. */
export function recordOf(traceId: string, span: StoredSpan): SpanRecord {
  return {
    trace_id: traceId,
    span_id: span.spanId,
    ...(span.parentId !== undefined && { parent_span_id: span.parentId }),
    service: span.service,
    route: span.route,
    method: span.method,
    status: span.status,
    start_ns: startNanoseconds(span),
    duration_ms: span.durationMs,
    ...(span.kind !== 'server' && { kind: span.kind }),
    ...(span.error !== undefined && { error: span.error }),
    ...(span.tags.length > 0 && { tags: pairsOf(span.tags) }),
    ...(span.attributes.length > 0 && { attributes: pairsOf(span.attributes) }),
    ...(span.links !== undefined && { links: linksOf(span.links) }),
    ...(span.probability < 1 && { probability: span.probability }),
    ...(span.headerNames !== undefined && { header_names: span.headerNames.split(',') }),
    ...payloadOf(span.payload),
  };
}

function pairsOf<Value>(list: readonly Value[]): Record<string, Value> {
  const pairs: [string, Value][] = [];
  for (let at = 0; at < list.length; at += 2) pairs.push([String(list[at]), list[at + 1] as Value]);
  return Object.fromEntries(pairs);
}

function linksOf(links: string): readonly SpanLink[] {
  return links.split(',').map((ids) => ({ trace_id: ids.slice(0, 32), span_id: ids.slice(32) }));
}

function payloadOf(payload: StoredPayload | undefined): Partial<SpanRecord> {
  if (payload === undefined) return {};
  const { request, response, requestType, responseType, timeline } = payload;
  return {
    ...(timeline !== undefined && { timeline: JSON.parse(timeline) as unknown[] }),
    ...(request !== undefined && { request_payload: JSON.parse(request) as unknown }),
    ...(response !== undefined && { response_payload: JSON.parse(response) as unknown }),
    ...(requestType !== undefined && { request_media_type: requestType }),
    ...(responseType !== undefined && { response_media_type: responseType }),
  };
}
