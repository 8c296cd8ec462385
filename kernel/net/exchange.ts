import type { Agent, IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { answerTo } from './answer-to.js';
import { CollectedBytes } from '../bounded/index.js';
import { anySignal } from '../contracts/any-signal.js';

/** One HTTP request. */
interface ExchangeRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Keeps connections; by default each request has one of its own. */
  readonly agent?: Agent;
  /** Resolves the host's name; by default the system does. */
  readonly lookup?: LookupFunction;
  /** Maximum number of bytes read from the body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/** The response. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the body went on beyond the cap. */
  readonly truncated: boolean;
}

/**
 * Sends one request and reads the answer, up to a cap. Does not follow redirects, because credentials must never go to another origin, and
 * does not decompress: with a broken `Content-Encoding`, a body of the built-in `fetch` never ends, and no signal ends it.
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
  const url = new URL(request.url);
  const { request: send } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? anySignal([request.signal, timeout]) : timeout;
  const options: RequestOptions = {
    method: request.method ?? 'GET',
    headers: { ...request.headers, ...lengthOf(request.body) },
    agent: request.agent ?? false,
    ...(request.lookup && { lookup: request.lookup }),
    signal,
  };
  try {
    const response = await answerTo(send(url, options).end(request.body));
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      ...(await readUpTo(response, request.maxBytes)),
    };
  } catch (error) {
    throw signal.aborted && request.signal?.aborted !== true ? timeoutError(request.timeoutMs) : error;
  }
}

/** The other side did not answer in time. */
class ExchangeTimeout extends Error {}

function timeoutError(timeoutMs: number): ExchangeTimeout {
  return new ExchangeTimeout(`no answer within ${timeoutMs / 1000} s`);
}

function lengthOf(body: string | Uint8Array | undefined): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

async function readUpTo(response: IncomingMessage, maxBytes: number) {
  const collected = new CollectedBytes();
  for await (const chunk of response as AsyncIterable<Buffer>) {
    collected.add(chunk);
    // Breaking out of the loop destroys the connection.
    if (collected.size > maxBytes) break;
  }
  const body = collected.take();
  return { body: body.subarray(0, maxBytes), truncated: body.length > maxBytes };
}
