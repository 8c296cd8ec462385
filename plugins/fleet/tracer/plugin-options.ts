import { Type } from 'typebox';
import {
  DurationSchema,
  type HttpContext,
  LONGEST_TIMER,
  type ResolvedOptions,
  withDefault,
} from '../../../kernel/index.js';
import { TRACER_DEFAULTS } from './options.js';

const text = (description: string) => Type.String({ description });
const address = (description: string, scheme = 'https?') =>
  Type.String({ description, pattern: `^(${scheme}://.+)?$` });
const path = (description: string) => Type.String({ description, pattern: '^(/.*)?$' });

/** Paths of introspection, not traffic; each includes the paths below it. */
const SKIPPED = [
  '/healthz', '/livez', '/readyz', '/favicon.ico', '/openapi.json', '/docsui', '/llms.txt', '/llms-full.txt', '/dashboard', '/mcp',
]; // prettier-ignore

/** Options of the plugin `fleet/tracer`: those of `TracerConfig`, and what an application adds. */
export const tracerOptions = Type.Object({
  enabled: withDefault(Type.Boolean({ description: 'false passes requests through untouched' }), false),
  serviceName: withDefault(text('stable name shown in traces; the name of the application when empty'), ''),
  aggregatorURL: withDefault(address("the aggregator's mount; empty uses the aggregator of this application, if it has one"), ''),
  aggregatorWSURL: withDefault(address("the aggregator's WebSocket, for the transport websocket", 'wss?'), ''),
  transport: withDefault(text('http, events, native or websocket'), 'http'),
  flushInterval: withDefault(DurationSchema({ description: 'longest age of a batch', least: '1ms', most: LONGEST_TIMER }), TRACER_DEFAULTS.flushInterval),
  maxBatchSize: withDefault(Type.Integer({ minimum: 1, description: 'spans per export' }), TRACER_DEFAULTS.maxBatchSize),
  maxBufferSpans: withDefault(
    Type.Integer({ minimum: 1, description: 'spans that wait at most; then the oldest is dropped' }),
    TRACER_DEFAULTS.maxBufferSpans,
  ),
  sampleRate: withDefault(
    Type.Number({ minimum: 0, maximum: 1, description: 'probability that a new trace is recorded' }),
    TRACER_DEFAULTS.sampleRate,
  ),
  exportTimeout: withDefault(DurationSchema({ description: 'longest time of one export', least: '1ms', most: LONGEST_TIMER }), TRACER_DEFAULTS.exportTimeout),
  heartbeatInterval: withDefault(DurationSchema({ description: 'time between heartbeats', least: '1ms', most: LONGEST_TIMER }), TRACER_DEFAULTS.heartbeatInterval),
  ingestToken: withDefault(Type.String({ description: 'sent in X-Fleet-Token', secret: true }), ''),
  instanceID: withDefault(text('tells instances of one service apart; random when empty'), ''),
  advertiseURL: withDefault(address('where the aggregator reaches this service; the address of its server when empty'), ''),
  openAPIPath: withDefault(path('where this service serves its OpenAPI document, for contract checks; empty switches them off'), '/openapi.json'),
  capturePayloads: Type.Optional(
    Type.Boolean({ description: 'JSON bodies go along, scrubbed, when the OpenAPI document is advertised; by default in every profile but prod' }),
  ),
  clientSpans: withDefault(
    Type.Boolean({ description: 'calls over HTTP leave spans of their own; no header is added to them' }),
    true,
  ),
  logStamping: withDefault(
    Type.Boolean({ description: 'log lines inside a request carry its trace id; needs the ambient request context' }),
    true,
  ),
  logsPath: withDefault(path('where this service answers with the log lines of a trace'), '/_fleet/logs'),
  serviceToken: withDefault(Type.String({ description: 'credential for logsPath; empty switches it off', secret: true }), ''),
  skipPaths: withDefault(Type.Array(Type.String(), { description: 'paths, and what is below them, that are not traced' }), SKIPPED),
  skip: Type.Optional(
    Type.Unsafe<(context: HttpContext) => boolean>({ typeof: 'function', description: 'further requests that are not traced' }),
  ),
}); // prettier-ignore

export type TracerPluginOptions = ResolvedOptions<typeof tracerOptions>;

/** Whether bodies are sent with spans: by default not in production, where they contain data of people. */
export function capturesPayloads({ capturePayloads, openAPIPath }: TracerPluginOptions, profile: string): boolean {
  return openAPIPath !== '' && (capturePayloads ?? profile !== 'prod');
}

/** Which requests are not traced. */
export function skipPredicate({ skipPaths, skip }: TracerPluginOptions): (context: HttpContext) => boolean {
  const exact = new Set(skipPaths);
  const below = skipPaths.map((path) => `${path}/`);
  return (context) => {
    const { path } = context;
    return exact.has(path) || below.some((prefix) => path.startsWith(prefix)) || skip?.(context) === true;
  };
}
