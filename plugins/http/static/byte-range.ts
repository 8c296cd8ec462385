import type { Stats } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { httpDate } from '../../../kernel/net/index.js';

/** First and last byte of a part, both included. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The part of a file that a request asks for (RFC 9110, section 14). Several ranges at once are answered with the whole file,
 * which a server may do, and so is a header that is not valid.
 *
 * @returns undefined for the whole file
 */
export function rangeOf(
  headers: IncomingHttpHeaders,
  stats: Stats,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const header = headers.range;
  const parts = header === undefined ? undefined : /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  if (!parts || (parts[1] === '' && parts[2] === '') || !isSameVersion(headers['if-range'], stats, etag))
    return undefined;
  return boundsOf(parts[1] as string, parts[2] as string, stats.size);
}

function boundsOf(first: string, last: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return start > end ? 'unsatisfiable' : { start, end };
}

// If-Range needs a strong match, which a weak ETag never is; a date must be equal (RFC 9110, section 13.1.5).
function isSameVersion(condition: string | string[] | undefined, stats: Stats, etag: string): boolean {
  if (condition === undefined) return true;
  return condition !== etag && httpDate(String(condition)) === Math.trunc(stats.mtimeMs / 1000) * 1000;
}
