import type { HttpContext } from '../../../kernel/index.js';

const TYPES =
  /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|xml)\b|application\/(?:javascript|wasm|x-ndjson|manifest|graphql|rtf|vnd\.ms-fontobject)|image\/(?:svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:ttf|otf|collection))/i;

/** Whether a response may be compressed at all: it has a body that is not compressed yet and whose type shrinks. */
export function isCompressible({ res }: HttpContext): boolean {
  const status = res.statusCode;
  if (status === 204 || status === 205 || status === 206 || status === 304) return false;
  if (res.hasHeader('Content-Encoding') || res.hasHeader('Content-Range')) return false;
  if (/(?:^|,)\s*no-transform\s*(?:,|$)/i.test(String(res.getHeader('Cache-Control') ?? ''))) return false;
  return TYPES.test(String(res.getHeader('Content-Type') ?? ''));
}
