import { type Duration, fwError, type Logger, milliseconds, yesOnly } from '../../../kernel/index.js';
import type { SpanTransport } from '../../../kernel/contracts/fleet.js';
import { newSpanId } from './span-ids.js';
import { TRACER_ERRORS } from './errors.js';

/** Configuration of a tracer (SPEC "Fleet tracer configuration"). Durations: milliseconds, or text such as `'1s'`. */
export interface TracerConfig {
  /** Stable service name shown in traces. Required while `enabled` is true. */
  readonly serviceName: string;
  /** The aggregator's mount, e.g. `http://127.0.0.1:9000/fleet`; empty disables export. Default empty. */
  readonly aggregatorURL?: string;
  /** Carries spans; default an HTTP transport to `aggregatorURL`. */
  readonly transport?: SpanTransport;
  /** Longest time that a finished span waits for its batch. Default `'1s'`. */
  readonly flushInterval?: Duration;
  /** Spans per export. Default 200. */
  readonly maxBatchSize?: number;
  /** Spans that wait at most; then the oldest is dropped. Default 4096. */
  readonly maxBufferSpans?: number;
  /** Probability that a trace which begins here is recorded, 0 to 1. Default 1. Failures are always recorded. */
  readonly sampleRate?: number;
  /** Longest time of one export. Default `'2s'`. */
  readonly exportTimeout?: Duration;
  /** Write credential, sent in the `X-Fleet-Token` header. Default empty. */
  readonly ingestToken?: string;
  /** Default false: the middleware passes requests through and nothing else happens. */
  readonly enabled?: boolean;
  /** Time between heartbeats. Default `'5s'`. */
  readonly heartbeatInterval?: Duration;
  /** Tells instances of one service apart. Default random. */
  readonly instanceID?: string;
  /** Version of the service, sent in heartbeats. */
  readonly version?: string;
  /** Where the service serves its OpenAPI document, for contract checks. May be a function: ports are known late. */
  readonly openAPIURL?: string | (() => string | undefined);
  /** Digest of that document; the aggregator fetches the document again when it changes. */
  readonly openAPIHash?: string | (() => string | undefined);
  /** Where others reach the service, so that it has its name also in the failures of those who find it dead. */
  readonly serviceURL?: string | (() => string | undefined);
  /** Where the service answers with its log lines, for the merged view. */
  readonly logsURL?: string | (() => string | undefined);
  /**
   * Whether JSON bodies go along, scrubbed, for contract checks; a function is asked for each request. Default: when an
   * `openAPIURL` is given.
   */
  readonly capturePayloads?: boolean | (() => boolean);
  /** Calls over HTTP that carry trace headers leave spans of their own. Default true. */
  readonly clientSpans?: boolean;
  /**
   * Whether the trace is found without being passed on, through Node's AsyncLocalStorage: by calls without trace headers, by what runs
   * inside of `startSpan(...).run(...)`. On Node 20 that makes every `await` of the process dearer. Default false.
   */
  readonly ambientContext?: boolean;
  readonly logger?: Logger;
}

/** A complete configuration; times in milliseconds. */
export interface ResolvedTracerConfig {
  readonly serviceName: string;
  readonly aggregatorURL: string;
  readonly transport: SpanTransport | undefined;
  readonly flushInterval: number;
  readonly maxBatchSize: number;
  readonly maxBufferSpans: number;
  readonly sampleRate: number;
  readonly exportTimeout: number;
  readonly ingestToken: string;
  readonly enabled: boolean;
  readonly heartbeatInterval: number;
  readonly instanceID: string;
  readonly version: string | undefined;
  readonly openAPIURL: () => string | undefined;
  readonly openAPIHash: () => string | undefined;
  readonly serviceURL: () => string | undefined;
  readonly logsURL: () => string | undefined;
  readonly capturePayloads: () => boolean;
  readonly clientSpans: boolean;
  readonly ambientContext: boolean;
  readonly logger: Logger | undefined;
}

/** Defaults of the specification. */
export const TRACER_DEFAULTS = {
  flushInterval: '1s',
  maxBatchSize: 200,
  maxBufferSpans: 4096,
  sampleRate: 1,
  exportTimeout: '2s',
  heartbeatInterval: '5s',
} as const;

/**
 * Fills in defaults and checks ranges.
 * @throws FwError `FW_FLEET_TRACER_OPTION`, `FW_FLEET_SERVICE_NAME` or `FW_CONFIG_DURATION`
 */
export function resolveTracerConfig(config: TracerConfig): ResolvedTracerConfig {
  const enabled = config.enabled ?? false;
  if (enabled && config.serviceName.trim() === '') throw fwError(TRACER_ERRORS.FW_FLEET_SERVICE_NAME, {});
  const given = { ...TRACER_DEFAULTS, ...defined(config) };
  return {
    serviceName: config.serviceName,
    aggregatorURL: config.aggregatorURL ?? '',
    transport: config.transport,
    flushInterval: positive('flushInterval', milliseconds(given.flushInterval)),
    maxBatchSize: count('maxBatchSize', given.maxBatchSize),
    maxBufferSpans: count('maxBufferSpans', given.maxBufferSpans),
    sampleRate: share('sampleRate', given.sampleRate),
    exportTimeout: positive('exportTimeout', milliseconds(given.exportTimeout)),
    ingestToken: config.ingestToken ?? '',
    enabled,
    heartbeatInterval: positive('heartbeatInterval', milliseconds(given.heartbeatInterval)),
    instanceID: config.instanceID ?? newSpanId(),
    version: config.version,
    openAPIURL: reader(config.openAPIURL),
    openAPIHash: reader(config.openAPIHash),
    serviceURL: reader(config.serviceURL),
    logsURL: reader(config.logsURL),
    capturePayloads: captures(config.capturePayloads ?? config.openAPIURL !== undefined),
    clientSpans: config.clientSpans ?? true,
    ambientContext: config.ambientContext ?? false,
    logger: config.logger,
  };
}

// A key with the value undefined must not hide a default.
function defined<Config extends object>(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as Config;
}

function captures(given: boolean | (() => boolean)): () => boolean {
  return typeof given === 'function' ? yesOnly('capturePayloads', given) : () => given;
}

function reader<Value extends string | undefined>(value: Value | (() => Value)): () => Value {
  return typeof value === 'function' ? value : () => value;
}

function positive(option: string, value: number): number {
  return expect(option, value, value >= 1, 'at least 1 ms');
}

function count(option: string, value: number): number {
  return expect(
    option,
    value,
    Number.isInteger(value) && value >= 1 && value <= 1e6,
    'a whole number from 1 to 1000000',
  );
}

function share(option: string, value: number): number {
  return expect(option, value, value >= 0 && value <= 1, 'a number from 0 to 1');
}

function expect(option: string, value: number, isRight: boolean, expected: string): number {
  if (!isRight) throw fwError(TRACER_ERRORS.FW_FLEET_TRACER_OPTION, { option, value: String(value), expected });
  return value;
}
