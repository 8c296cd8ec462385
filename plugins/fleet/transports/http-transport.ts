import { type Agent, request as httpRequest, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, type RequestOptions } from 'node:http'; // prettier-ignore
import { request as httpsRequest } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { gzip, gzipSync, type ZlibOptions } from 'node:zlib';
import { fwError } from '../../../kernel/index.js';
import { answerTo, answerToRepeatable, keptAgent } from '../../../kernel/net/index.js';
import type { SpanBatch, SpanTransport } from '../../../kernel/contracts/fleet.js';
import type { HeartbeatRecord } from '../../../kernel/contracts/fleet-wire.js';
import { aggregatorAddress } from './aggregator-address.js';
import { TRANSPORT_ERRORS } from './errors.js';
import { ExportError } from './export-error.js';

/** Bodies below this many bytes go uncompressed. */
const GZIP_FROM = 1024;
/** Up to this size synchronous compression costs less than the thread pool. */
const GZIP_IN_PLACE = 256 * 1024;
/** The fastest level: for JSON, the next ones save too few bytes for their time. */
const GZIP_LEVEL = 1;
/**
 * A window of 8 KiB, because spans repeat nearby text, and one output chunk for a usual batch: the defaults (32 KiB, chunks of 16 KiB) take
 * almost twice the time, most of it for memory.
 */
const GZIP: ZlibOptions = { level: GZIP_LEVEL, windowBits: 13, chunkSize: 32 * 1024 };

const gzipInPool = promisify<Buffer, ZlibOptions, Buffer>(gzip);

/** Configuration of the HTTP transport. */
export interface HttpTransportOptions {
  /** The aggregator's mount, e.g. `http://127.0.0.1:9000/fleet`; a function is asked on the first export. */
  readonly aggregatorURL: string | (() => string);
  /** Write credential, sent in the `X-Fleet-Token` header. */
  readonly ingestToken?: string;
  /** Sent in the `x-fw-service` header. */
  readonly serviceName?: string;
  /** Whether bodies of 1 KiB and more are compressed. Default true. */
  readonly gzip?: boolean;
}

/** Exports as JSON over HTTP/1.1 on a few kept-alive connections (SPEC "Fleet operations": the complete baseline). */
export class HttpTransport implements SpanTransport {
  #base: URL | undefined;
  #agent: Agent | undefined;
  readonly #targets = new Map<string, Target>();
  readonly #headers: Readonly<Record<string, string>>;

  /** @throws FwError `FW_FLEET_TRANSPORT_ADDRESS` */
  constructor(
    private readonly options: HttpTransportOptions,
    readonly name: string = 'http',
  ) {
    if (typeof options.aggregatorURL === 'string') this.#base = aggregatorAddress(options.aggregatorURL);
    this.#headers = {
      'content-type': 'application/json',
      'user-agent': 'fw-fleet/1',
      ...(options.ingestToken && { 'x-fleet-token': options.ingestToken }),
      ...(options.serviceName && { 'x-fw-service': encodeURIComponent(options.serviceName) }),
    };
  }

  async exportSpans(batch: SpanBatch, signal: AbortSignal): Promise<void> {
    const body = Buffer.from(batch.text());
    if (this.options.gzip === false || body.length < GZIP_FROM) return this.#post(SPANS, body, signal);
    const packed = body.length <= GZIP_IN_PLACE ? gzipSync(body, GZIP) : await gzipInPool(body, GZIP);
    return this.#post(SPANS, packed, signal, { 'content-encoding': 'gzip' });
  }

  exportHeartbeat(heartbeat: HeartbeatRecord, signal: AbortSignal): Promise<void> {
    return this.#post('/api/heartbeat', Buffer.from(JSON.stringify(heartbeat)), signal);
  }

  close(): Promise<void> {
    this.#agent?.destroy();
    return Promise.resolve();
  }

  #address(): URL {
    const { aggregatorURL } = this.options;
    this.#base ??= aggregatorAddress(typeof aggregatorURL === 'function' ? aggregatorURL() : aggregatorURL);
    return this.#base;
  }

  async #post(path: string, body: Buffer, signal: AbortSignal, extra: Record<string, string> = {}): Promise<void> {
    const headers = { ...this.#headers, ...extra, 'content-length': String(body.length) };
    const target = this.#target(path);
    const status = await answered(target, headers, body, signal).catch((cause: unknown) => {
      throw unreachable(target.origin, cause);
    });
    if (status < 200 || status > 299) throw new ExportError(status, path);
  }

  // Cached for each of the two paths, so that the address is not parsed for every batch.
  #target(path: string): Target {
    const known = this.#targets.get(path);
    if (known) return known;
    const base = this.#address();
    const agent = (this.#agent ??= keptAgent(base, CONNECTIONS));
    const at = new URL(base);
    // Not by resolving: `//api/spans` of an aggregator without a base path would name the host `api`.
    at.pathname = base.pathname.replace(/\/$/, '') + path;
    const options = { ...urlToHttpOptions(at), method: 'POST', agent };
    const target = { origin: base.origin, options, isRepeatable: path === SPANS };
    this.#targets.set(path, target);
    return target;
  }
}

interface Target {
  readonly origin: string;
  readonly options: RequestOptions;
  /** Spans that came already are known by their ids; a heartbeat that came twice would count twice. */
  readonly isRepeatable: boolean;
}

const SPANS = '/api/spans';

/** Most connections, and so concurrent exports. */
const CONNECTIONS = 8;

/** Sends a body. @returns the status of the answer */
async function answered(
  target: Target,
  headers: OutgoingHttpHeaders,
  body: Buffer,
  signal: AbortSignal,
): Promise<number> {
  const begin = () => begun({ ...target.options, headers }, body, signal);
  return drained(await (target.isRepeatable ? answerToRepeatable(begin) : answerTo(begin())));
}

function begun(options: RequestOptions, body: Buffer, signal: AbortSignal): ClientRequest {
  signal.throwIfAborted();
  const request = (options.protocol === 'https:' ? httpsRequest : httpRequest)(options);
  // An abort listener, because the request's own `signal` option costs as much as the rest of the request.
  const abort = () => request.destroy(signal.reason as Error);
  signal.addEventListener('abort', abort);
  request.on('close', () => signal.removeEventListener('abort', abort));
  return request.end(body);
}

/** Most bytes of a response that are read to keep the connection; a longer one closes it. */
const MAX_ANSWER = 64 * 1024;

function drained(response: IncomingMessage): Promise<number> {
  const { statusCode = 0 } = response;
  // A body that cannot be read may have ended it before anybody listens.
  if (response.destroyed) return Promise.resolve(statusCode);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_ANSWER) return;
      // The status has said what became of the spans.
      resolve(statusCode);
      response.destroy();
    });
    response.on('error', reject);
    response.on('close', () => resolve(statusCode));
  });
}

function unreachable(address: string, cause: unknown) {
  const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : String(cause);
  return fwError(TRANSPORT_ERRORS.FW_FLEET_EXPORT_FAILED, { address, reason }, { cause });
}
