import type { Stats } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { matchesETag } from '../if-none-match.js';

/**
 * Whether the client has the current version already (RFC 9110, section 13.2.2): If-None-Match counts first, and
 * If-Modified-Since only without it.
 */
export function isUnchanged(headers: IncomingHttpHeaders, stats: Stats, etag: string): boolean {
  const none = headers['if-none-match'];
  if (none !== undefined) return matchesETag(none, etag);
  const since = Date.parse(String(headers['if-modified-since'] ?? ''));
  return !Number.isNaN(since) && Math.trunc(stats.mtimeMs / 1000) * 1000 <= since;
}
