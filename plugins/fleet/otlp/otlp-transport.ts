import type { Agent } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { FwError, fwError, runInRequestContext, systemClock } from '../../../kernel/index.js';
import { exchange, type ExchangeResponse, httpDate, keptAgent, urlProblem } from '../../../kernel/net/index.js';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { objectOf } from '../../../kernel/values/index.js';
import { readResponseProtobuf } from './codec/read-protobuf.js';
import { writeTraceProtobuf } from './codec/write-protobuf.js';
import { OTLP_ERRORS } from './errors.js';
import type { OtlpOptions } from './options.js';
import { traceRequest } from './otlp-span.js';

const gzipped = promisify<Buffer | Uint8Array, Buffer>(gzip);

/** Bodies below this many bytes go uncompressed. */
const GZIP_FROM = 1024;
/** Most bytes of a response that are read. */
const MAX_ANSWER = 64 * 1024;
/** Most connections, and so concurrent exports. */
const CONNECTIONS = 8;
/** Milliseconds; the exporter's own limit is shorter. */
const LONGEST_MS = 300_000;
/** Characters of a receiver's reason that are kept. */
const MAX_REASON = 200;
/** Statuses after which a retry is allowed (OTLP/HTTP, "Retryable Response Codes"); any other refusal is permanent. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const ADVICE: Readonly<Record<number, string>> = {
  400: 'It takes no such request; the spans are dropped.',
  401: 'Its key is missing or wrong: see the option headers.',
  403: 'Its key may not write: see the option headers.',
  404: 'Nothing takes traces at this path: see the option url.',
  413: 'The batch is too large for it: lower maxBatchSize.',
};

type Options = Pick<OtlpOptions, 'url' | 'headers' | 'encoding' | 'gzip' | 'resource'>;

/** A receiver did not take spans. */
export class OtlpRefusal extends FwError {
  /** Whether trying again is pointless. */
  readonly isPermanent: boolean;

  constructor(
    origin: string,
    status: number,
    /** Milliseconds that the receiver asks to wait. */
    readonly retryAfterMs: number | undefined,
  ) {
    const isPermanent = !RETRYABLE.has(status);
    const advice = ADVICE[status] ?? (isPermanent ? 'The spans are dropped.' : 'It is tried again.');
    super(OTLP_ERRORS.FW_FLEET_OTLP_REFUSED, { origin, status, advice });
    this.isPermanent = isPermanent;
  }
}

/** Sends spans over OTLP/HTTP. OTLP has no heartbeats, so none are sent. */
export class OtlpTransport implements SpanTransport {
  readonly name = 'otlp';
  readonly #url: URL;
  readonly #agent: Agent;
  #rejected = 0;
  #lastRefusal = '';

  /** @throws FwError `FW_FLEET_OTLP_URL` */
  constructor(private readonly options: Options) {
    this.#url = receiverUrl(options.url);
    this.#agent = keptAgent(this.#url, CONNECTIONS);
  }

  /** Where the receiver is, without path and query, which may hold a key. */
  get origin(): string {
    return this.#url.origin;
  }

  /** Number of spans that the receiver refused from accepted batches, and its last reason. */
  get partial(): { readonly rejected: number; readonly reason: string } {
    return { rejected: this.#rejected, reason: this.#lastRefusal };
  }

  async exportSpans(batch: SpanBatch, signal: AbortSignal): Promise<{ readonly rejected: number }> {
    const request = traceRequest(JSON.parse(batch.text()) as SpanRecord[], this.options.resource);
    const isJson = this.options.encoding === 'json';
    const body = isJson ? Buffer.from(JSON.stringify(request)) : writeTraceProtobuf(request);
    const type = isJson ? 'application/json' : 'application/x-protobuf';
    const isPacked = this.options.gzip && body.length >= GZIP_FROM;
    const headers = {
      ...this.options.headers,
      'content-type': type,
      'user-agent': 'fw-fleet/1 OTLP',
      ...(isPacked && { 'content-encoding': 'gzip' }),
    };
    return this.#post(isPacked ? await gzipped(body) : body, headers, signal, batch.count);
  }

  exportHeartbeat(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#agent.destroy();
    return Promise.resolve();
  }

  async #post(body: Uint8Array, headers: Record<string, string>, signal: AbortSignal, count: number) {
    const answer = await this.#answered(body, headers, signal);
    const { status } = answer;
    if (status < 200 || status > 299)
      throw new OtlpRefusal(this.origin, status, pauseOf(answer.headers['retry-after']));
    const { rejected, reason } = refusedOf(responseOf(answer), count);
    this.#rejected += rejected;
    if (rejected > 0) this.#lastRefusal = reason;
    return { rejected };
  }

  // Without the context of the request that filled the batch, and without following redirects, because the headers may hold a key.
  async #answered(body: Uint8Array, headers: Record<string, string>, signal: AbortSignal): Promise<ExchangeResponse> {
    try {
      const common = { url: this.#url.href, method: 'POST', timeoutMs: LONGEST_MS, maxBytes: MAX_ANSWER };
      return await runInRequestContext(undefined, () =>
        exchange({ ...common, body, headers, signal, agent: this.#agent }),
      );
    } catch (cause) {
      const reason = signal.aborted ? 'it did not answer in time' : reasonOf(cause);
      throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_UNREACHABLE, { origin: this.origin, reason }, { cause });
    }
  }
}

function receiverUrl(text: string): URL {
  const reason = urlProblem(text);
  if (reason !== undefined) throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_URL, { reason });
  const url = new URL(text);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

// An unreadable response is ignored: its status says that the spans were accepted.
function responseOf({ headers, body, truncated }: ExchangeResponse): unknown {
  const type = headers['content-type'] ?? '';
  if (body.length === 0 || truncated) return undefined;
  try {
    if (type.startsWith('application/json')) return JSON.parse(body.toString());
    return type.startsWith('application/x-protobuf') ? readResponseProtobuf(body) : undefined;
  } catch {
    return undefined;
  }
}

/** How many of `count` spans a response says were refused, and why. */
function refusedOf(response: unknown, count: number): { readonly rejected: number; readonly reason: string } {
  const { rejectedSpans, errorMessage } = objectOf(objectOf(response)['partialSuccess']);
  const isNumber = typeof rejectedSpans === 'number' || typeof rejectedSpans === 'string';
  const rejected = isNumber ? Math.max(0, Math.trunc(Number(rejectedSpans))) || 0 : 0;
  const reason = typeof errorMessage === 'string' ? errorMessage.slice(0, MAX_REASON) : '';
  return { rejected: Math.min(rejected, count), reason };
}

/** Seconds, or a date (RFC 9110, section 10.2.3). @returns milliseconds */
function pauseOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : (httpDate(header) ?? NaN) - systemClock.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code ?? message;
}
