import type { ProbedMiddleware } from '../../http/index.js';
import { type ETagCache, newETagCache } from './etag-cache.js';
import { handleETags } from './handle-etags.js';

/**
 * Sends a strong ETag, the MD5 of the bytes that are sent, and 304 when `If-None-Match` names it (SPEC "Middleware chain", 8); the other
 * preconditions of RFC 9110, section 13.1, as well: 412 when `If-Match` does not. The handler always runs, so a response is never stale. It
 * applies only to 200 responses to GET and HEAD with a known body, not to streams.
 */
export function etagMiddleware(cache: ETagCache = newETagCache()): ProbedMiddleware {
  return handleETags(cache);
}
