import { Type } from 'typebox';
import { DurationSchema, LONGEST_TIMER, type ResolvedOptions, withDefault } from '../../../kernel/index.js';

/** Options of the plugin `fleet/otlp`. */
export const otlpOptions = Type.Object({
  url: withDefault(Type.String({ description: 'where spans are sent: a collector, Jaeger, Tempo, Honeycomb; /v1/traces is added to an address without a path; empty sends nothing' }), ''),
  headers: withDefault(Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]+$' }), Type.String({ secret: true }), { description: 'sent with every request: keys and tenants of the receiver', secret: true }), {}),
  encoding: withDefault(Type.Union([Type.Literal('protobuf'), Type.Literal('json')], { description: 'protobuf or json' }), 'protobuf'),
  gzip: withDefault(Type.Boolean({ description: 'bodies of 1 KiB and more are compressed' }), true),
  resource: withDefault(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { description: "attributes of the resource, e.g. 'deployment.environment.name'" }), {}),
  forward: withDefault(Type.Boolean({ description: 'sends what the aggregator of this application takes from all services, instead of the own spans' }), false),
  flushInterval: withDefault(DurationSchema({ description: 'longest age of a batch that is forwarded', least: '1ms', most: LONGEST_TIMER }), '1s'),
  maxBatchSize: withDefault(Type.Integer({ minimum: 1, maximum: 5_000, description: 'spans per forwarded batch' }), 512),
  maxBufferSpans: withDefault(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'forwarded spans that wait at most; then the oldest is dropped' }), 8_192),
  exportTimeout: withDefault(DurationSchema({ description: 'longest time of one export', least: '1ms', most: LONGEST_TIMER }), '10s'),
  receive: withDefault(Type.Boolean({ description: 'the aggregator of this application takes OTLP at {basePath}/v1/traces' }), true),
}); // prettier-ignore

/** Options with their defaults. */
export type OtlpOptions = ResolvedOptions<typeof otlpOptions>;
