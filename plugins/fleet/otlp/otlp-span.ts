import type { SpanKind, SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { grouped } from '../../../kernel/values/index.js';
import { samplingThreshold } from '../recorded/index.js';
import {
  type AnyValue,
  type KeyValue,
  type OtlpSpan,
  SPAN_KIND,
  STATUS_ERROR,
  type TraceRequest,
} from './codec/trace-request.js';

/** Flag of the W3C that stands in the lowest byte of a span's flags: it is sampled. */
const SAMPLED = 1;

const KINDS: Readonly<Record<SpanKind, number>> = {
  server: SPAN_KIND.server,
  client: SPAN_KIND.client,
  query: SPAN_KIND.client,
  producer: SPAN_KIND.producer,
  consumer: SPAN_KIND.consumer,
  event: SPAN_KIND.internal,
  internal: SPAN_KIND.internal,
};

/** What every resource says besides its service's name, e.g. the environment. */
type ResourceAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Spans of ours as an OTLP request: one resource for each service, names by the semantic conventions. Captured bodies are not sent: they
 * are for contract checks only.
 */
export function traceRequest(spans: readonly SpanRecord[], resource: ResourceAttributes): TraceRequest {
  const resourceSpans = [...grouped(spans, ({ service }) => service)].map(([service, list]) => ({
    resource: { attributes: keyValues({ ...resource, 'service.name': service, 'telemetry.sdk.name': 'fw', 'telemetry.sdk.language': 'nodejs' }) },
    scopeSpans: [{ scope: { name: 'fw/fleet' }, spans: list.map(otlpSpan) }],
  })); // prettier-ignore
  return { resourceSpans };
}

function otlpSpan(span: SpanRecord): OtlpSpan {
  const { kind = 'server', parent_span_id: parent, probability = 1, links = [] } = span;
  const start = BigInt(span.start_ns);
  const traceState = samplingThreshold(probability);
  const hasFailed = span.error !== undefined || span.status >= 500;
  return {
    traceId: span.trace_id,
    spanId: span.span_id,
    ...(parent !== undefined && { parentSpanId: parent }),
    ...(traceState !== undefined && { traceState }),
    name: nameOf(span, kind),
    kind: KINDS[kind],
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(Math.round(span.duration_ms * 1e6))),
    attributes: keyValues(attributesOf(span, kind)),
    ...(links.length > 0 && { links: links.map((link) => ({ traceId: link.trace_id, spanId: link.span_id })) }),
    status: hasFailed ? { code: STATUS_ERROR } : {},
    flags: SAMPLED,
  };
}

// The conventions require a small number of names: a method with a route pattern, never with a path.
function nameOf({ method, route, attributes }: SpanRecord, kind: SpanKind): string {
  switch (kind) {
    case 'server':
      return `${method} ${route}`.trim();
    case 'client':
      return method;
    case 'query':
      return [method, attributes?.['db.collection.name']].filter((word) => word !== undefined).join(' ');
    case 'producer':
    case 'consumer':
      return `${method.toLowerCase()} ${route}`;
    default:
      return route === '' ? method : route;
  }
}

function attributesOf(span: SpanRecord, kind: SpanKind): Record<string, string | number> {
  const { method, route, status, error, tags = {} } = span;
  const failure = error ?? (status >= 500 ? String(status) : undefined);
  return {
    ...(kind === 'server' && { 'http.request.method': method, ...(route !== '' && { 'http.route': route }) }),
    ...(kind === 'client' && route !== '' && { 'url.template': route }),
    ...(kind === 'query' && { 'db.query.text': route }),
    ...(status > 0 && { 'http.response.status_code': status }),
    ...(failure !== undefined && { 'error.type': failure.replace(/^HTTP (?=\d{3}$)/, '') }),
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [`fw.tag.${name}`, value])),
    ...span.attributes,
  };
}

function keyValues(attributes: ResourceAttributes): readonly KeyValue[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: string | number | boolean): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
