import { validateHeaderName, validateHeaderValue } from 'node:http';
import { constants, Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';
import { asciiDisposition } from '../content-disposition.js';
import type { HeaderValue } from '../fast-koa/header-line.js';
import type { Http2Request } from './http2-request.js';

/** Headers about the connection, which HTTP/2 says in frames: they would make an answer malformed (RFC 9113, section 8.2.2). */
const ABOUT_CONNECTION = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * A response over HTTP/2 that takes what one over HTTP/1.1 takes: headers about the connection are dropped, what cannot be in a header is
 * thrown when it is set, and an answer that is cut ends with an error that the client sees.
 */
export class Http2Response extends Http2ServerResponse<Http2Request> {
  constructor(stream: ServerHttp2Stream) {
    super(stream);
    stream.once('finish', () => stopUpload(stream, this.req));
    stream.once('close', () => {
      // Node says nothing of a HEAD whose client went away before its answer.
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

  /** As `setHeaders` of `node:http`. */
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

  // A body that is known as a whole has a length, as Node has it over HTTP/1.1.
  override end(chunk?: unknown, ...rest: unknown[]): this {
    const isKnown = typeof chunk === 'string' || chunk instanceof Uint8Array;
    if (isKnown && !this.headersSent && !this.hasHeader('content-length')) {
      const encoding = typeof rest[0] === 'string' ? (rest[0] as BufferEncoding) : 'utf8';
      this.setHeader('content-length', Buffer.byteLength(chunk, encoding));
    }
    super.end(chunk as string, ...(rest as []));
    return this;
  }

  // Without an error the stream would end as if the answer were complete.
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
  // Of a request HEAD Node ends the stream for bodies before there is an answer.
  writableFinished: {
    configurable: true,
    get(this: Http2Response) {
      return this.writableEnded && this.stream.writableFinished;
    },
  },
  // HTTP/2 has none (RFC 9113, section 8.3.2): it is kept for who reads it, and not sent. Node would warn.
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

// An answer that is complete before its request is: the client is told to stop sending (RFC 9113, section 8.1).
function stopUpload(stream: ServerHttp2Stream, request: Http2Request): void {
  if (stream.endAfterHeaders || request.readableEnded || request.readableFlowing === true) return;
  stream.close(constants.NGHTTP2_NO_ERROR);
  // What has come already keeps Node from letting the stream go.
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

// An object, or a flat list of names and values, of which one that is there twice is sent twice.
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
