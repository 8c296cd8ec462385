import { fwError } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/**
 * Path of a request target, still percent-encoded: without query and fragment, without one trailing slash, and without
 * scheme and host when the target is in absolute form (RFC 9112, section 3.2.2).
 */
export function pathOfTarget(target: string): string {
  const start = target.charCodeAt(0) === SLASH ? 0 : startOfPath(target);
  let end = target.length;
  for (let at = start; at < end; at++) {
    const code = target.charCodeAt(at);
    if (code === QUESTION || code === HASH) end = at;
  }
  if (end - start > 1 && target.charCodeAt(end - 1) === SLASH) end--;
  const path = target.slice(start, end);
  return path === '' ? '/' : path;
}

const SLASH = 47;
const QUESTION = 63;
const HASH = 35;
const PERCENT = 37;

function startOfPath(target: string): number {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
  return authority ? authority[0].length : 0;
}

/**
 * Segments of a path, each percent-decoded by itself, so that an encoded slash never makes a segment.
 * Everything that judges a path (router, protected patterns) goes through here, so that they cannot disagree.
 *
 * @throws FwError `FW_HTTP_PATH_MALFORMED` (400)
 */
export function decodedSegments(path: string): string[] {
  const segments: string[] = [];
  let isEncoded = false;
  let from = 1;
  for (let at = 1; at < path.length; at++) {
    const code = path.charCodeAt(at);
    if (code === PERCENT) isEncoded = true;
    if (code !== SLASH) continue;
    segments.push(path.slice(from, at));
    from = at + 1;
  }
  if (path !== '/') segments.push(path.slice(from));
  return isEncoded ? segments.map(decodeSegment) : segments;
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw fwError(HTTP_ERRORS.FW_HTTP_PATH_MALFORMED, {}, { cause });
  }
}
