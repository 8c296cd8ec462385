import { Http2ServerRequest, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { ReadableOptions } from 'node:stream';

/**
 * A request over HTTP/2 that reads like one over HTTP/1.1: `headers` hold no pseudo-headers, the authority is the Host (RFC 9113,
 * section 8.3.1), a header that is there twice is joined, and a body that was cut fails instead of ending.
 */
export class Http2Request extends Http2ServerRequest {
  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    options: ReadableOptions,
    rawHeaders: readonly string[],
  ) {
    super(stream, headers, options, rawHeaders);
    // Node's own `headers` stays on the prototype; its `method` and `url` read from there.
    Object.defineProperty(this, 'headers', { value: plainHeaders(rawHeaders), writable: true, configurable: true });
    // A listener is optional, as over HTTP/1.1. Whether there is one cannot be asked when the body is cut: the error is told a moment later,
    // and who reads the body stops listening with the `close` before it.
    this.on('error', () => {});
  }

  // Node ends the body even if the client has reset the stream in the middle.
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk !== null || !this.#isCut()) return super.push(chunk, encoding);
    this.destroy(cut());
    return false;
  }

  #isCut(): boolean {
    return !this.readableEnded && !this.stream.endAfterHeaders && this.stream.aborted;
  }
}

function cut(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

function plainHeaders(rawHeaders: readonly string[]): IncomingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  let authority: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] as string, rawHeaders[index + 1] as string];
    if (name === ':authority') authority = value;
    else if (!name.startsWith(':')) add(headers, name, value);
  }
  // A different Host beside the authority is refused like two Host headers.
  if (authority !== undefined && headers['host'] !== authority) add(headers, 'host', authority);
  return headers;
}

function add(headers: Record<string, string | string[]>, name: string, value: string): void {
  const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (name === '__proto__') return;
  if (name === 'set-cookie') headers[name] = [...(before ?? []), value];
  else if (before === undefined) headers[name] = value;
  // A Cookie header may be split into several (RFC 9113, section 8.2.3).
  else headers[name] = `${before as string}${name === 'cookie' ? '; ' : ', '}${value}`;
}
