import { type Static, Type } from 'typebox';
import {
  DurationSchema,
  LONGEST_TIMER,
  milliseconds,
  type ResolvedOptions,
  withDefault,
} from '../../../kernel/index.js';

const count = (description: string) => Type.Integer({ minimum: 1, maximum: 2_000_000_000, description });

/** Options of the aggregator (SPEC "Fleet aggregator configuration"). */
export const aggregatorOptions = Type.Object({
  basePath: withDefault(Type.String({ pattern: '^/[\\w/-]*[\\w-]$', description: 'prefix of API and WebSocket' }), '/fleet'),
  maxTraces: withDefault(count('traces that are kept; then the oldest goes'), 2000),
  maxSpansPerTrace: withDefault(count('spans of one trace; then its oldest goes'), 512),
  maxSpans: withDefault(count('spans of all traces together; then the oldest traces go'), 100_000),
  maxPayloadBytes: withDefault(count('bytes of kept bodies and timelines; then new ones are left out'), 32 * 1024 * 1024),
  maxTags: withDefault(count('entries of the tag index; then new ones are found by a scan'), 200_000),
  maxServices: withDefault(count('services and nodes of the graph; then those seen longest ago go'), 500),
  maxEdges: withDefault(count('edges of the graph; then those seen longest ago go'), 2000),
  maxBatchSpans: withDefault(count('spans of one batch; larger ones are refused'), 10_000),
  maxBodyBytes: withDefault(count('bytes of one request body, as sent and as expanded'), 32 * 1024 * 1024),
  maxBodiesBytes: withDefault(count('bytes of all request bodies that are read or used at a time; more are answered 503'), 256 * 1024 * 1024),
  traceTTL: withDefault(DurationSchema({ description: 'lifetime of an idle trace, and the window of the statistics' }), '5m'),
  serviceTTL: withDefault(DurationSchema({ description: 'heartbeat deadline before a service is marked down' }), '15s'),
  contractValidation: withDefault(Type.Boolean({ description: 'asynchronous checks against the services\' OpenAPI' }), true),
  contractDeadline: withDefault(DurationSchema({ description: 'how long reading a document or checking a body may take; then it is given up, counted and named', most: LONGEST_TIMER }), '5s'),
  maxViolations: withDefault(count('violations that are kept'), 1000),
  violationDedupeWindow: withDefault(DurationSchema({ description: 'equal violations within it are counted, not repeated' }), '1m'),
  username: withDefault(Type.String({ description: 'viewer name of the read APIs (Basic Auth)' }), ''),
  password: withDefault(Type.String({ description: 'viewer password of the read APIs', secret: true }), ''),
  ingestToken: withDefault(Type.String({ description: 'write credential of services (X-Fleet-Token)', secret: true }), ''),
  serviceToken: withDefault(Type.String({ description: 'credential sent to services for their log lines', secret: true }), ''),
  fetchAllowedHosts: withDefault(
    Type.Array(Type.String(), { description: 'hosts (host or host:port) that schemas and logs may be fetched from; empty allows all but link-local and metadata addresses' }),
    [],
  ),
  webhookURL: withDefault(Type.String({ description: 'told of incidents that begin and end; empty tells nobody' }), ''),
  webhookSecret: withDefault(Type.String({ description: 'signs those messages (Standard Webhooks): whsec_ and base64, or any text of at least 16 characters', secret: true }), ''),
  blastRadiusErrorRateThreshold: withDefault(Type.Number({ minimum: 0, maximum: 1, description: 'error rate of an incident' }), 0.1),
  blastRadiusWindow: withDefault(DurationSchema({ description: 'time over which error rates of incidents are taken' }), '1m'),
}); // prettier-ignore

/** What a person may write. */
export type AggregatorConfig = Static<typeof aggregatorOptions>;

/** Options with their defaults. */
type AggregatorOptions = ResolvedOptions<typeof aggregatorOptions>;

type Durations = 'traceTTL' | 'serviceTTL' | 'contractDeadline' | 'violationDedupeWindow' | 'blastRadiusWindow';

/** Options with durations in milliseconds. */
export type AggregatorSettings = Readonly<Omit<AggregatorOptions, Durations> & Record<Durations, number>>;

/** Options as the stores take them. */
export function settingsOf(options: AggregatorOptions): AggregatorSettings {
  return {
    ...options,
    traceTTL: milliseconds(options.traceTTL),
    serviceTTL: milliseconds(options.serviceTTL),
    contractDeadline: milliseconds(options.contractDeadline),
    violationDedupeWindow: milliseconds(options.violationDedupeWindow),
    blastRadiusWindow: milliseconds(options.blastRadiusWindow),
  };
}

/** Every default, for use without the plugin. */
export function aggregatorDefaults(): AggregatorOptions {
  const entries = Object.entries(aggregatorOptions.properties);
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, structuredClone((schema as unknown as { default: unknown }).default)]),
  ) as unknown as AggregatorOptions;
}
