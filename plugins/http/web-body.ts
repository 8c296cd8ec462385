import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Stream } from 'node:stream';
import { isPlain } from './fast-koa/fast-context.js';

/** Whether a body is one of the web's: a `ReadableStream`, a `Blob`, or a `Response` such as `fetch` gives. */
export function isWebBody(body: unknown): body is ReadableStream | Blob | Response {
  // The last questions have Node load its fetch implementation, for which most bodies give no reason.
  if (typeof body !== 'object' || isPlain(body) || Buffer.isBuffer(body) || body instanceof Stream) return false;
  return body instanceof ReadableStream || body instanceof Blob || body instanceof Response;
}

/**
 * A web body as a stream of Node, which can be compressed, and whose errors are known before the head is sent.
 *
 * @returns undefined for any other body, and for a Response without one
 * @throws what the web says of a body that somebody else reads
 */
export function readableOf(body: unknown): Readable | undefined {
  if (!isWebBody(body)) return undefined;
  const stream = body instanceof Blob ? body.stream() : streamIn(body);
  return stream ? Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]) : undefined;
}

/** Ends a web body with its answer where nobody has read it (HEAD, 304, an error): what it comes from would go on otherwise. */
export function endUnreadWith(res: ServerResponse<IncomingMessage>, body: ReadableStream | Blob | Response): void {
  if (!(body instanceof Blob)) res.once('close', () => endUnread(body));
}

/** Ends what a handler returned and nobody reads: a file would stay open, and what another server sends would wait for ever. */
export function endUnread(body: unknown): void {
  if (body instanceof Readable) return void body.destroy();
  if (!isWebBody(body) || body instanceof Blob) return;
  const stream = streamIn(body);
  if (stream?.locked === false) void stream.cancel().catch(() => {});
}

function streamIn(body: ReadableStream | Response): ReadableStream | null {
  return body instanceof Response ? body.body : body;
}

/**
 * What Koa is to take over from a Response. Cookies are not among it, since Koa would join them (RFC 6265, section 3), and of one that
 * `fetch` gave neither what was about its connection (RFC 9110, section 7.6.1) nor the coding that `fetch` has taken off its body.
 */
export function headOf(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.delete('Set-Cookie');
  // One that the handler has made says what it means.
  if (response.url !== '') {
    const named = (headers.get('Connection') ?? '').split(',').map((each) => each.trim());
    for (const name of [...CONNECTION_HEADERS, ...named, ...(isDecoded(response) ? CODING_HEADERS : [])])
      if (TOKEN.test(name)) headers.delete(name);
  }
  return new Response(null, { status: response.status, headers });
}

const CONNECTION_HEADERS = ['Connection', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Transfer-Encoding', 'Upgrade'];
const CODING_HEADERS = ['Content-Encoding', 'Content-Length'];
const TOKEN = /^[\w-]+$/;

// Those that `fetch` of every Node takes off. One that it does not know it leaves on, and all others with it.
const DECODED = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

function isDecoded({ body, headers }: Response): boolean {
  const codings = headers.get('Content-Encoding')?.toLowerCase().split(',') ?? [];
  return body !== null && codings.length > 0 && codings.every((coding) => DECODED.has(coding.trim()));
}
