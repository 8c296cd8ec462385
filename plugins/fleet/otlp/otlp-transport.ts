import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { FwError, fwError, runInRequestContext } from '../../../kernel/index.js';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { SpanRecord } from '../../../kernel/contracts/fleet-wire.js';
import { readResponseProtobuf, type TraceResponse } from './codec/read-protobuf.js';
import { writeTraceProtobuf } from './codec/write-protobuf.js';
import { OTLP_ERRORS } from './errors.js';
import type { OtlpOptions } from './options.js';
import { traceRequest } from './otlp-span.js';

const gzipped = promisify<Buffer | Uint8Array, Buffer>(gzip);

/** Bodies below this many bytes go uncompressed. */
const GZIP_FROM = 1024;
/** Most bytes of a response that are read. */
const MAX_ANSWER = 64 * 1024;
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
  #rejected = 0;
  #lastRefusal = '';

  /** @throws FwError `FW_FLEET_OTLP_URL` */
  constructor(private readonly options: Options) {
    this.#url = receiverUrl(options.url);
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
    return this.#post(isPacked ? await gzipped(body) : body, headers, signal);
  }

  exportHeartbeat(): Promise<void> {
    return Promise.resolve();
  }

  async #post(body: Uint8Array, headers: Record<string, string>, signal: AbortSignal) {
    const { response, bytes } = await this.#answered(body, headers, signal);
    if (!response.ok) throw new OtlpRefusal(this.origin, response.status, pauseOf(response.headers.get('retry-after')));
    const { partialSuccess } = responseOf(response.headers.get('content-type') ?? '', bytes);
    const rejected = Math.max(0, Number(partialSuccess?.rejectedSpans ?? 0)) || 0;
    this.#rejected += rejected;
    if (rejected > 0) this.#lastRefusal = String(partialSuccess?.errorMessage ?? '').slice(0, 200);
    return { rejected };
  }

  // Without the context of the request that filled the batch, and without following redirects, because the headers may hold a key.
  async #answered(body: Uint8Array, headers: Record<string, string>, signal: AbortSignal) {
    try {
      return await runInRequestContext(undefined, async () => {
        const response = await fetch(this.#url, {
          method: 'POST',
          body: Buffer.from(body),
          headers,
          signal,
          redirect: 'manual',
        });
        return { response, bytes: await beginningOf(response) };
      });
    } catch (cause) {
      throw fwError(OTLP_ERRORS.FW_FLEET_OTLP_UNREACHABLE, { origin: this.origin, reason: reasonOf(cause) }, { cause });
    }
  }
}

function receiverUrl(text: string): URL {
  const refused = (reason: string) => fwError(OTLP_ERRORS.FW_FLEET_OTLP_URL, { reason });
  if (!URL.canParse(text)) throw refused('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(`its scheme is ${url.protocol.slice(0, -1)}`);
  if (url.username || url.password) throw refused('it holds a user name or a password');
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

async function beginningOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_ANSWER) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// An unreadable response is ignored: its status says that the spans were accepted.
function responseOf(type: string, bytes: Buffer): TraceResponse {
  if (bytes.length === 0) return {};
  try {
    if (type.startsWith('application/json')) return JSON.parse(bytes.toString()) as TraceResponse;
    return type.startsWith('application/x-protobuf') ? readResponseProtobuf(bytes) : {};
  } catch {
    return {};
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3). @returns milliseconds */
function pauseOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}

function reasonOf(cause: unknown): string {
  const { cause: inner, message, name } = cause as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'it did not answer in time';
  return inner?.code ?? inner?.message ?? message;
}
