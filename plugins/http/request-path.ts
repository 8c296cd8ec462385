/**
 * Path of a request target as it was sent: without query and fragment, without one trailing slash, and without scheme and host when the
 * target is in absolute form (RFC 9112, section 3.2.2). For display only; no decision may use it.
 */
export function pathOfTarget(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path || '/';
}

const SLASH = 47;
const PERCENT = 37;

/**
 * Segments of a path, each percent-decoded by itself, so that an encoded slash never makes a segment.
 *
 * @param path - from `requestPath`, or the literal text of a pattern
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
  return isEncoded ? segments.map(decodeURIComponent) : segments;
}
