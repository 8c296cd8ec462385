import { validateHeaderName, validateHeaderValue } from 'node:http';
import { constants, Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';
import { asciiDisposition } from '../content-disposition.js';
import type { HeaderValue } from '../fast-koa/header-line.js';
import { LONGEST_LINGER_MS } from '../lingering-close.js';
import type { Http2Request } from './http2-request.js';

/** Connection headers, which HTTP/2 expresses in frames: they would make a response malformed (RFC 9113, section 8.2.2). */
const ABOUT_CONNECTION = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * A response over HTTP/2 that behaves like one over HTTP/1.1: connection headers are dropped, invalid headers throw when they are set, and
 * a response that is cut ends with an error that the client sees.
 */
export class Http2Response extends Http2ServerResponse<Http2Request> {
  constructor(stream: ServerHttp2Stream) {
    super(stream);
    stream.once('finish', () => endUpload(stream, this.req));
    stream.once('close', () => {
      // Node emits no event for a HEAD request whose client disconnects before the response.
      if (this.req.method === 'HEAD' && !this.writableEnded) this.emit('close');
    });
  }

  override setHeader(name: string, value: HeaderValue): this {
    const key = checked(name, value);
    if (ABOUT_CONNECTION.has(key)) return this;
    const sent = key === 'content-disposition' && typeof value === 'string' ? asciiDisposition(value) : value;
    super.setHeader(key, Array.isArray(sent) ? sent.map(String) : (sent as string));
    return this;
  }

  override appendHeader(name: string, value: string | string[]): this {
    const before = this.getHeader(name) as HeaderValue | undefined;
    return this.setHeader(name, before === undefined ? value : [before, value].flat().map(String));
  }

  /** Like `setHeaders` of `node:http`. */
  setHeaders(headers: Headers | ReadonlyMap<string, HeaderValue>): this {
    for (const [name, value] of headers) this.setHeader(name, value);
    return this;
  }

  override writeHead(status: number, reasonOrHeaders?: unknown, headers?: unknown): this {
    const given = typeof reasonOrHeaders === 'string' ? headers : reasonOrHeaders;
    for (const [name, value] of entriesOf(given)) this.setHeader(name, value);
    super.writeHead(status);
    return this;
  }

  // Sets the length of a body that is given as a whole, like Node over HTTP/1.1.
  override end(chunk?: unknown, ...rest: unknown[]): this {
    const isKnown = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (isKnown && !this.headersSent && !this.hasHeader('content-length')) {
      const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8';
      this.setHeader('content-length', Buffer.byteLength(chunk, encoding));
    }
    super.end(chunk as string, ...(rest as []));
    return this;
  }

  // Without an error the stream would end as if the response were complete.
  override destroy(error?: Error): this {
    super.destroy(error ?? Object.assign(new Error('The answer was cut.'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }));
    return this;
  }
}

const MESSAGE = Symbol('fw.http.status-message');

Object.defineProperties(Http2Response.prototype, {
  destroyed: {
    configurable: true,
    get(this: Http2Response) {
      return this.stream.destroyed;
    },
  },
  // For a HEAD request Node ends the writable side before there is a response.
  writableFinished: {
    configurable: true,
    get(this: Http2Response) {
      return this.writableEnded && this.stream.writableFinished;
    },
  },
  // HTTP/2 has no reason phrase (RFC 9113, section 8.3.2): it can be set and read, but is not sent. Node would warn.
  statusMessage: {
    configurable: true,
    get(this: { [MESSAGE]?: string }) {
      return this[MESSAGE] ?? '';
    },
    set(this: { [MESSAGE]?: string }, message: string) {
      this[MESSAGE] = message;
    },
  },
});

// A response is complete before its request. The rest is read for a while, since some clients look at the response only when they have sent
// everything (Java's HttpClient); then the client is told to stop (RFC 9113, section 8.1). At once would be too early in any case: the frame
// that ends the response has not left yet.
function endUpload(stream: ServerHttp2Stream, request: Http2Request): void {
  if (stream.endAfterHeaders || request.readableEnded || request.readableFlowing === true) return;
  const deadline = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), LONGEST_LINGER_MS);
  stream.once('close', () => clearTimeout(deadline));
  request.resume();
  stream.resume();
}

function checked(name: string, value: HeaderValue): string {
  validateHeaderName(name);
  for (const each of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    validateHeaderValue(name, (Array.isArray(value) ? String(each) : each) as string);
  }
  return name.toLowerCase();
}

// Headers as an object or a flat list of names and values; a repeated name is sent repeatedly.
function entriesOf(headers: unknown): Iterable<readonly [string, HeaderValue]> {
  if (typeof headers !== 'object' || headers === null) return [];
  if (!Array.isArray(headers)) {
    return Object.entries(headers).filter(([, value]) => value !== undefined) as [string, HeaderValue][];
  }
  const joined = new Map<string, HeaderValue>();
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value] = [String(headers[index]).toLowerCase(), headers[index + 1] as HeaderValue];
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : [before, value].flat().map(String));
  }
  return joined;
}
