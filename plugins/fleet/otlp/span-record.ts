import type { SpanKind } from '../../../kernel/contracts/fleet-wire.js';
import { objectOf } from '../../../kernel/values/index.js';
import { maskedPath, passedOnTracestate, samplingProbability, statementText } from '../recorded/index.js';
import { type Attributes, attributesFrom, hasNoSql, recordedAttributes } from './attributes.js';
import { SPAN_KIND, STATUS_ERROR } from './codec/trace-request.js';

type Wire = Readonly<Record<string, unknown>>;

/** Databases in which `"` quotes texts by default. */
const DOUBLE_QUOTED_TEXTS: ReadonlySet<string> = new Set(['mysql', 'mariadb']);
/** Statuses below 500 that count as a failure of a client's call, although the conventions call every 4xx an error. */
const REFUSALS: ReadonlySet<number> = new Set([408, 429]);
/** Names of exceptions of the DOM by their numbers, which some instrumentations write for their names. */
const DOM_CODES: Readonly<Record<string, string>> = { 20: 'AbortError', 23: 'TimeoutError' };
const NO_ID = /^0+$/;
/** Characters of messages that are looked at. */
const MAX_MESSAGE = 2_048;
/** What runtimes say about a call that got no answer, and the word for it. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/context deadline exceeded|HttpClient\.Timeout|i\/o timeout|Client\.Timeout exceeded/i, 'context.DeadlineExceeded'],
  [
    /timeout of \d+ ?ms exceeded|Timeout awaiting '(?:response|request|socket|send|read)'|network timeout at:|read timed out/i,
    'TimeoutError',
  ],
  [/context canceled/i, 'context.Canceled'],
  [/connection refused|actively refused|ECONNREFUSED/i, 'ECONNREFUSED'],
  [/no such host|name or service not known|nodename nor servname|getaddrinfo|ENOTFOUND/i, 'ENOTFOUND'],
  [
    /connection reset by peer|ECONNRESET|broken pipe|socket hang up|unexpected EOF|: EOF$|server closed idle connection/i,
    'ECONNRESET',
  ],
  [/x509: |tls: |certificate verify failed/i, 'ERR_TLS_HANDSHAKE'],
];
/** What `fetch` says in the TypeError by which it reports that there was no answer, or only part of one: undici, Chromium, Firefox, WebKit. */
const NETWORK_ERROR =
  /^(?:fetch failed|terminated|Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)$/;
/** Codes of gRPC that mean a failure, by number. */
const GRPC_CODES = [
  'OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS', 'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS',
  'UNAUTHENTICATED',
]; // prettier-ignore

/**
 * Spans of an OTLP request as the aggregator reads them. Names of methods, routes and databases come from the semantic conventions, today's
 * or older ones; data that may belong to a user are dropped, as in our own tracer: query strings, user names of URLs, literals of SQL,
 * values of headers, messages of errors.
 *
 * @param request - in its JSON form, as it came
 * @param count - called for every span and every group of them; may throw
 * @returns spans as `SpanRecord`, whose identity the aggregator checks
 */
export function spanRecords(request: unknown, count: () => void = () => undefined): readonly Wire[] {
  const records: Wire[] = [];
  for (const { resource, scopeSpans } of listOf((request as Wire | null)?.['resourceSpans'])) {
    count();
    const service = attributesFrom((resource as Wire | undefined)?.['attributes']).get('service.name');
    for (const { spans } of listOf(scopeSpans)) {
      count();
      for (const span of listOf(spans)) {
        count();
        records.push(recordOf(span, String(service ?? '') || 'unknown_service'));
      }
    }
  }
  return records;
}

function listOf(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function recordOf(span: Wire, service: string): Wire {
  const attributes = withAddress(attributesFrom(span['attributes']));
  const kind = kindOf(span['kind'], attributes);
  const { method, route } = named(span, kind, attributes);
  const status = httpStatusOf(attributes);
  const error = errorOf(span, kind, status, attributes);
  const tracestate = typeof span['traceState'] === 'string' ? passedOnTracestate(span['traceState']) : undefined;
  const end = nanosecondsOf(span['endTimeUnixNano']);
  // Unset times are zeros in protobuf.
  const start = nanosecondsOf(span['startTimeUnixNano']) || end;
  return {
    trace_id: idOf(span['traceId']),
    span_id: idOf(span['spanId']),
    parent_span_id: parentOf(span['parentSpanId']),
    service,
    kind,
    method,
    route,
    status,
    // The aggregator takes the time of arrival for a span that says none.
    ...(start > 0n && { start_ns: String(start) }),
    duration_ms: durationOf(start, end),
    ...(error !== undefined && { error }),
    attributes: { ...pathOfRequest(kind, attributes, route), ...recordedAttributes(attributes) },
    links: listOf(span['links']).map((link) => ({ trace_id: idOf(link['traceId']), span_id: idOf(link['spanId']) })),
    probability: samplingProbability(tracestate),
  };
}

// Instrumentations of browsers and those of older conventions give the URL of a call alone.
function withAddress(attributes: Attributes): Attributes {
  const url = attributes.get('url.full') ?? attributes.get('http.url');
  if (attributes.has('server.address') || typeof url !== 'string' || !URL.canParse(url)) return attributes;
  const { protocol, hostname, port } = new URL(url);
  const portNumber = Number(port || (protocol === 'https:' ? 443 : 80));
  return new Map([...attributes, ['server.address', hostname], ['server.port', portNumber]]);
}

// Ids in JSON are hex digits of either case.
function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toLowerCase() : undefined;
}

// A root has none; some SDKs write the id that is no id (https://github.com/open-telemetry/opentelemetry-cpp/issues/1107).
function parentOf(value: unknown): string | undefined {
  const id = idOf(value);
  return id !== undefined && NO_ID.test(id) ? undefined : id;
}

// A text, because a JSON number cannot hold nanoseconds; some exporters write numbers all the same, which are a quarter of a microsecond off.
function nanosecondsOf(value: unknown): bigint {
  if (typeof value === 'string') return /^\d{1,20}$/.test(value) ? BigInt(value) : 0n;
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 64 ? BigInt(value as number) : 0n;
}

function durationOf(start: bigint, end: bigint): number {
  return end > start ? Number(end - start) / 1e6 : 0;
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map(
  Object.entries({
    [SPAN_KIND.server]: 'server',
    [SPAN_KIND.client]: 'client',
    [SPAN_KIND.producer]: 'producer',
    [SPAN_KIND.consumer]: 'consumer',
  }),
);

// Some exporters write the names of enum values, contrary to the protocol.
function kindOf(value: unknown, attributes: Attributes): SpanKind {
  const name = typeof value === 'string' ? /^SPAN_KIND_(SERVER|CLIENT|PRODUCER|CONSUMER)$/.exec(value)?.[1] : undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const kind = (name?.toLowerCase() as SpanKind | undefined) ?? KINDS.get(number) ?? 'internal';
  return kind === 'client' && attributes.has('db.system.name') ? 'query' : kind;
}

function httpStatusOf(attributes: Attributes): number {
  const status = Number(attributes.get('http.response.status_code') ?? 0);
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : 0;
}

/** Verb and place of a span, as our own spans have them. */
function named(
  span: Wire,
  kind: SpanKind,
  attributes: Attributes,
): { readonly method: string; readonly route: string } {
  const text = (name: string) => (attributes.has(name) ? String(attributes.get(name)) : undefined);
  const name = typeof span['name'] === 'string' ? span['name'] : '';
  if (kind === 'query') {
    const system = String(attributes.get('db.system.name'));
    const statement = hasNoSql(system) ? undefined : (text('db.query.text') ?? text('db.statement'));
    const route = statement === undefined ? name : statementText(statement, DOUBLE_QUOTED_TEXTS.has(system));
    return { method: verbOf(text('db.operation.name') ?? route, 'SQL'), route };
  }
  if (kind === 'producer' || kind === 'consumer') {
    const usual = kind === 'producer' ? 'SEND' : 'PROCESS';
    const operation = text('messaging.operation.name') ?? text('messaging.operation.type');
    return { method: verbOf(operation ?? usual, usual), route: text('messaging.destination.name') ?? name };
  }
  const method = text('http.request.method');
  if (method !== undefined) return { method: verbOf(method, 'HTTP'), route: routeOf(name, text) };
  const rpc = [text('rpc.service'), text('rpc.method')].filter((part) => part !== undefined).join('/');
  if (rpc !== '') return { method: 'RPC', route: rpc };
  return { method: kind === 'internal' ? 'RUN' : 'CALL', route: name };
}

function verbOf(text: string, otherwise: string): string {
  return /^\s*([A-Za-z_]{1,32})/.exec(text)?.[1]?.toUpperCase() ?? otherwise;
}

// The route pattern; without one, the path with possible ids masked; else the span's name.
function routeOf(name: string, text: (name: string) => string | undefined): string {
  const pattern = text('http.route') ?? text('url.template');
  if (pattern !== undefined) return pattern;
  const path = text('url.path') ?? text('http.target') ?? pathOf(text('url.full') ?? text('http.url'));
  if (path !== undefined && path !== '') return maskedPath(path);
  const [, rest] = /^[A-Z]+ (\/.*)$/.exec(name) ?? [];
  return rest === undefined ? '' : maskedPath(rest);
}

// Says that the place of the route is taken by a masked path.
function pathOfRequest(kind: SpanKind, attributes: Attributes, route: string): Readonly<Record<string, string>> {
  const isPath = kind === 'server' && attributes.has('http.request.method') && !attributes.has('http.route');
  return isPath && route !== '' ? { 'url.path': route } : {};
}

function pathOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined;
}

/** The class of a span's failure; never a message, which may contain a user's data. */
function errorOf(span: Wire, kind: SpanKind, status: number, attributes: Attributes): string | undefined {
  const grpc = grpcCodeOf(attributes.get('rpc.response.status_code'));
  const code = (span['status'] as Wire | undefined)?.['code'];
  const isError = code === STATUS_ERROR || code === 'STATUS_CODE_ERROR';
  const isAnswered = status > 0 && status < 500;
  // A 404 is no failure of the server or the client.
  if (!isError && status < 500 && !(kind === 'client' && REFUSALS.has(status))) return undefined;
  const type =
    failureIn(messagesOf(span), kind) ??
    networkErrorOf(span) ??
    attributes.get('error.type') ??
    exceptionOf(span, 'exception.type');
  const isStatus = type === undefined || String(type) === String(status);
  if (isAnswered && isStatus && !(kind === 'client' && REFUSALS.has(status))) return undefined;
  if (!isStatus) return shortOf(DOM_CODES[String(type)] ?? String(type), grpc);
  return status > 0 ? `HTTP ${status}` : (grpc ?? 'failed');
}

function shortOf(type: string, grpc: string | undefined): string {
  return /^\d{1,2}$/.test(type) && grpc !== undefined ? grpc : type.replace(/[^\w.$*:/-]+/g, '_').slice(0, 128);
}

function grpcCodeOf(value: unknown): string | undefined {
  const name = typeof value === 'number' ? GRPC_CODES[value] : value;
  return typeof name === 'string' && GRPC_CODES.includes(name) && name !== 'OK' ? name : undefined;
}

function exceptionOf(span: Wire, name: 'exception.type' | 'exception.message'): string | undefined {
  const found = listOf(span['events']).findLast((event) => event['name'] === 'exception');
  const value = found && attributesFrom(found['attributes']).get(name);
  return value === undefined ? undefined : String(value);
}

// A TypeError is a fault of the code that threw it, but `fetch` has no other class for a failed call.
function networkErrorOf(span: Wire): string | undefined {
  const isTypeError = exceptionOf(span, 'exception.type') === 'TypeError';
  return isTypeError && NETWORK_ERROR.test(exceptionOf(span, 'exception.message') ?? '') ? 'NetworkError' : undefined;
}

function messagesOf(span: Wire): string {
  const message = (span['status'] as Wire | undefined)?.['message'];
  return [typeof message === 'string' ? message : '', exceptionOf(span, 'exception.message') ?? '']
    .join(' ')
    .slice(0, MAX_MESSAGE);
}

// The class of some exceptions does not tell what happened: Go wraps every error, and .NET has one class for a deadline and for a caller
// that left. Their messages tell it in words of the runtime; only which of these words was found is kept, never the message.
function failureIn(message: string, kind: SpanKind): string | undefined {
  if (message.trim() === '' || kind === 'internal' || kind === 'consumer') return undefined;
  const found = SAID.find(([words]) => words.test(message))?.[1];
  // What a service answers has many reasons; that it was cut off is the one that its answer does not tell.
  return kind === 'server' && found !== 'context.Canceled' ? undefined : found;
}
