import type { SpanKind, SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { grouped } from '../../../kernel/values/index.js';
import { samplingThreshold } from '../recorded/index.js';
import { hasNoSql } from './attributes.js';
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
  // By the conventions every 4xx is an error of whoever was told it, and none of whoever said it.
  const hasFailed = span.error !== undefined || span.status >= (kind === 'client' ? 400 : 500);
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
function nameOf(span: SpanRecord, kind: SpanKind): string {
  const { method, route, attributes } = span;
  switch (kind) {
    case 'server':
      return isHttp(span) ? `${KNOWN_METHODS.has(method) ? method : 'HTTP'} ${route}`.trim() : route || method;
    case 'client':
      return isHttp(span) ? (KNOWN_METHODS.has(method) ? method : 'HTTP') : route || method;
    case 'query':
      if (isNamed(span)) return route;
      return [method, attributes?.['db.collection.name']].filter((word) => word !== undefined).join(' ');
    case 'producer':
    case 'consumer':
      return isNamed(span) ? route || method : `${method.toLowerCase()} ${route}`;
    default:
      return route === '' ? method : route;
  }
}

/** What the aggregator writes for the verb of a request or call that is not HTTP. */
const NO_HTTP: ReadonlySet<string> = new Set(['RPC', 'CALL']);
/** Methods that the conventions know; any other is `_OTHER`. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH', 'QUERY',
]); // prettier-ignore

function isHttp({ method, kind = 'server' }: SpanRecord): boolean {
  return (kind === 'server' || kind === 'client') && !NO_HTTP.has(method);
}

function attributesOf(span: SpanRecord, kind: SpanKind): Record<string, string | number> {
  const { route, status, error, tags = {} } = span;
  const failure = error ?? (status >= 500 ? String(status) : undefined);
  return {
    ...(isHttp(span) && { ...methodOf(span), ...(kind === 'server' ? requestOf(span) : callOf(span)) }),
    ...(kind === 'query' && !isNamed(span) && { 'db.query.text': route }),
    ...(status > 0 && { 'http.response.status_code': status }),
    ...(failure !== undefined && { 'error.type': failure.replace(/^HTTP (?=\d{3}$)/, '') }),
    ...Object.fromEntries(Object.entries(tags).map(([name, value]) => [`fw.tag.${name}`, value])),
    ...span.attributes,
  };
}

// Whether a statement or message has a name of its own in the place of its text or destination.
function isNamed({ kind, route, attributes = {} }: SpanRecord): boolean {
  if (kind === 'query') return hasNoSql(attributes['db.system.name']) && route !== '';
  return attributes['messaging.destination.name'] === undefined;
}

type Told = Readonly<Record<string, string | number>>;

function methodOf({ method }: SpanRecord): Told {
  return KNOWN_METHODS.has(method)
    ? { 'http.request.method': method }
    : { 'http.request.method': '_OTHER', 'http.request.method_original': method };
}

// What the conventions require of a request: its path without what stood for parameters, and the scheme and version that our tracer leaves
// out because nearly every request has them. The spans of others say these themselves, or are silent on them.
function requestOf({ route, attributes = {} }: SpanRecord): Told {
  const isOurs = attributes['http.request.method'] === undefined;
  const isPath = attributes['url.path'] !== undefined;
  return {
    ...(isOurs && { 'url.scheme': 'http', 'network.protocol.version': '1.1' }),
    ...(route !== '' && !isPath && { 'http.route': route, 'url.path': pathWithout(route) }),
  };
}

// The URL of a call without its query and without what may be an id.
function callOf({ route, attributes = {} }: SpanRecord): Told {
  const { 'url.scheme': scheme, 'server.address': address, 'server.port': port } = attributes;
  if (route === '') return {};
  if (scheme === undefined || address === undefined || !route.startsWith('/')) return { 'url.template': route };
  const host = String(address).includes(':') ? `[${String(address).replace(/[[\]]/g, '')}]` : String(address);
  const authority = port === undefined || port === DEFAULT_PORTS[scheme] ? host : `${host}:${port}`;
  return { 'url.template': route, 'url.full': `${scheme}://${authority}${pathWithout(route)}` };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };

// The parameters of a route pattern as a masked path has them: `/orders/:id` and `/orders/{id}` as `/orders/*`.
function pathWithout(route: string): string {
  return route.replace(/\{[^}]*\}|[:*]\w+/g, '*');
}

function keyValues(attributes: ResourceAttributes): readonly KeyValue[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: string | number | boolean): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
