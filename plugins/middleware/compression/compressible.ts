import type { HttpContext } from '../../../kernel/index.js';

// Text in one form or another. Bytes without a type (application/octet-stream) may be anything, and often are compressed already.
const TYPES = new RegExp(
  [
    /^text\/(?!event-stream)/,
    // RFC 6838, section 4.2.8: the suffix says the syntax, whatever the type before it.
    /^[\w-]+\/[\w.+-]*\+(?:json|xml|yaml)\b/,
    /^application\/(?:json|xml|yaml|toml|javascript|ecmascript|wasm|manifest|graphql|rtf|sql|tar|postscript|vnd\.ms-fontobject)\b/,
    /^application\/x-(?:ndjson|javascript|yaml|sh|tar|www-form-urlencoded)\b/,
    /^(?:image\/(?:bmp|x-ms-bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:ttf|otf|collection)|message\/rfc822|model\/gltf-binary)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** What is said of the bytes as they are: their coding, their place in a whole, a hash of them (RFC 9530). */
const ABOUT_BYTES = ['Content-Encoding', 'Content-Range', 'Content-Digest', 'Repr-Digest', 'Digest', 'Content-MD5'];

/**
 * Whether a response may be compressed at all: it has a body that is not compressed yet and whose type shrinks.
 *
 * @param further - media types that shrink as well, in lower case and without parameters
 */
export function isCompressible({ res }: HttpContext, further: ReadonlySet<string>): boolean {
  const status = res.statusCode;
  if (status === 204 || status === 205 || status === 206 || status === 304) return false;
  if (ABOUT_BYTES.some((name) => res.hasHeader(name))) return false;
  if (/(?:^|,)\s*no-transform\s*(?:,|$)/i.test(String(res.getHeader('Cache-Control') ?? ''))) return false;
  const type = String(res.getHeader('Content-Type') ?? '');
  return TYPES.test(type) || (further.size > 0 && further.has((type.split(';', 1)[0] as string).trim().toLowerCase()));
}
