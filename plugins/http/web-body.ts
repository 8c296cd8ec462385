import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable, Stream } from 'node:stream';
import zlib from 'node:zlib';
import type { HttpContext } from '../../kernel/index.js';
import { isPlain } from './fast-koa/fast-context.js';
import { addVary } from './vary.js';

/** Whether a body is one of the web's: a `ReadableStream`, a `Blob`, or a `Response` such as `fetch` gives. */
export function isWebBody(body: unknown): body is ReadableStream | Blob | Response {
  // The last questions have Node load its fetch implementation, for which most bodies give no reason.
  if (typeof body !== 'object' || isPlain(body) || Buffer.isBuffer(body) || body instanceof Stream) return false;
  return body instanceof ReadableStream || body instanceof Blob || isResponse(body);
}

/** Whether a value is a Response: of Node, or of the package undici, whose class is another one. */
export function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true;
  const { [Symbol.toStringTag]: tag, headers } = (value ?? {}) as { [Symbol.toStringTag]?: unknown; headers?: Headers };
  return tag === 'Response' && typeof headers?.getSetCookie === 'function';
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

/** Ends a web body that nobody has read (HEAD, 304, an error) together with its answer; its source would go on otherwise. */
export function endUnreadWith(res: ServerResponse<IncomingMessage>, body: ReadableStream | Blob | Response): void {
  if (body instanceof Blob) return;
  // The client may have left while the handler ran.
  if (res.destroyed) endUnread(body);
  else res.once('close', () => endUnread(body));
}

/** Ends what a handler returned and nobody reads: a file would stay open, and what another server sends would wait for ever. */
export function endUnread(body: unknown): void {
  if (body instanceof Readable) return void body.destroy();
  if (!isWebBody(body) || body instanceof Blob) return;
  const stream = streamIn(body);
  if (stream?.locked === false) void stream.cancel().catch(() => {});
}

function streamIn(body: ReadableStream | Response): ReadableStream | null {
  return isResponse(body) ? body.body : body;
}

const OWN_CORS = Symbol('fw.http.own-cors');

/** Notes that this application decides which pages may read the response: what another server has said about it does not count then. */
export function decidesCors(context: HttpContext): void {
  (context as { [OWN_CORS]?: true })[OWN_CORS] = true;
}

/** Takes over from a Response the fields that may be there already: each cookie, and what the answer depends on. */
export function joinHead(context: HttpContext, { headers }: Response): void {
  for (const cookie of headers.getSetCookie()) context.append('Set-Cookie', cookie);
  const names = (headers.get('Vary') ?? '').split(',').map((name) => name.trim());
  addVary(context.res, ...names.filter((name) => name !== ''));
}

/**
 * The part of a Response that Koa takes over. It leaves out what {@link joinHead} takes, because Koa would join it (RFC 6265, section 3) or
 * replace it. From a Response of `fetch` it also leaves out what was about the connection to the other server (RFC 9110, section 7.6.1), the
 * coding that `fetch` has removed from the body with what is said of the bytes in it, and the CORS of the other server where this application
 * has its own.
 */
export function headOf(response: Response, context: HttpContext): Response {
  const headers = new Headers(response.headers);
  for (const name of ['Set-Cookie', 'Vary']) headers.delete(name);
  // One that the handler has made says what it means.
  if (response.url !== '') {
    const named = (headers.get('Connection') ?? '').split(',').map((each) => each.trim());
    for (const name of [...CONNECTION_HEADERS, ...named, ...(isDecoded(response) ? CODING_HEADERS : [])])
      if (TOKEN.test(name)) headers.delete(name);
    if ((context as { [OWN_CORS]?: true })[OWN_CORS])
      for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
  }
  return new Response(null, { status: response.status, headers });
}

/** Hashes of the bytes as they came (RFC 9530). */
const DIGESTS = ['Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5'];
const CONNECTION_HEADERS = ['Connection', 'Keep-Alive', 'Proxy-Connection', 'TE', 'Transfer-Encoding', 'Upgrade'];
const CODING_HEADERS = ['Content-Encoding', 'Content-Length', 'Accept-Ranges', ...DIGESTS];
const TOKEN = /^[\w-]+$/;

/**
 * The codings that `fetch` takes off. One that it does not know it leaves on, and all others with it.
 *
 * @param undici - version of the library in Node that has `fetch`: zstd came with 7.11 (https://github.com/nodejs/undici/pull/4238)
 * @param hasZstd - whether Node can decode it
 */
export function codingsOfFetch(
  undici: string = process.versions['undici'] ?? '',
  hasZstd = 'createZstdDecompress' in zlib,
): ReadonlySet<string> {
  const [major = 0, minor = 0] = undici.split('.').map(Number);
  const isZstdKnown = hasZstd && (major > 7 || (major === 7 && minor >= 11));
  return new Set(['gzip', 'x-gzip', 'deflate', 'br', ...(isZstdKnown ? ['zstd'] : [])]);
}

const DECODED = codingsOfFetch();

// An answer to HEAD has no body to decode, but is about that of GET.
function isDecoded({ headers }: Response): boolean {
  const codings = headers.get('Content-Encoding')?.toLowerCase().split(',') ?? [];
  return codings.length > 0 && codings.every((coding) => DECODED.has(coding.trim()));
}
