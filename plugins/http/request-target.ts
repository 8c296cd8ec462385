import type { IncomingMessage } from 'node:http';
import { type FwError, fwError, type HttpContext } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { pathOfTarget } from './request-path.js';

/** A normalised request target, and its path without query and without one trailing slash. */
interface DecidedTarget {
  readonly url: string;
  readonly path: string;
}

/** Facts about a request for the decision, besides its target. */
interface TargetSurroundings {
  readonly method: string;
  /** The Host header; undefined when there is none, or when the target did not come over the wire. */
  readonly host?: string | undefined;
  /** Whether the route that answers a path takes an encoded slash as data. */
  readonly takesEncodedSlash?: (method: string, path: string) => boolean;
}

const SLASH = 47;
const DOT = 46;
const QUESTION = 63;

// Unreserved characters, sub-delimiters, ":" and "@" of RFC 3986, section 3.3: the characters that a segment may have unencoded.
const SEGMENT_CHARACTERS = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@") {
  SEGMENT_CHARACTERS[character.charCodeAt(0)] = 1;
}

/** The path of an obviously unambiguous target; undefined for one that needs the full decision. */
export function plainPath(target: string): string | undefined {
  if (target.charCodeAt(0) !== SLASH) return undefined;
  let end = target.length;
  let isSegmentStart = true;
  for (let at = 1; at < end; at++) {
    const code = target.charCodeAt(at);
    if (SEGMENT_CHARACTERS[code] === 1) {
      if (isSegmentStart && code === DOT) return undefined;
      isSegmentStart = false;
    } else if (code === SLASH) {
      if (isSegmentStart) return undefined;
      isSegmentStart = true;
    } else if (code === QUESTION) {
      if (target.includes('#', at)) return undefined;
      end = at;
    } else {
      return undefined;
    }
  }
  return target.slice(0, isSegmentStart && end > 1 ? end - 1 : end);
}

/**
 * Decides how a request target is read, for routes, patterns, files, mounts and middlewares alike. Percent-encoding is decoded once and
 * re-encoded in one normal form (RFC 3986, section 6.2.2). Targets that two readers could understand differently are refused: dot segments,
 * empty segments, encoded slashes, backslashes, NUL, and bytes that are not UTF-8.
 *
 * @throws FwError `FW_HTTP_TARGET`, `FW_HTTP_PATH_AMBIGUOUS` or `FW_HTTP_PATH_MALFORMED`, each 400
 */
export function decidedTarget(target: string, surroundings: TargetSurroundings): DecidedTarget {
  const plain = plainPath(target);
  if (plain !== undefined) return { url: target, path: plain };
  if (target === '*' && surroundings.method === 'OPTIONS') return { url: target, path: target };
  const [path, query] = partsOf(originForm(target, surroundings.host));
  const text = `/${segmentsOf(path).map(canonicalSegment).join('/')}`;
  const shown = text.length > 1 && text.endsWith('/') ? text.slice(0, -1) : text;
  if (text.includes('%2F') && surroundings.takesEncodedSlash?.(surroundings.method, shown) !== true) {
    throw ambiguous('it has an encoded slash (%2F), which this path does not take');
  }
  return { url: text + query, path: shown };
}

// Absolute form (RFC 9112, section 3.2.2). Its host has to equal the Host header, because an intermediary may have used either one. User
// information is an error (RFC 9110, section 4.2.4).
function originForm(target: string, host: string | undefined): string {
  if (target.startsWith('/')) return target;
  const [whole, authority] = /^https?:\/\/([^/?#@\\]+)(?=[/?#]|$)/i.exec(target) ?? [];
  if (whole === undefined || authority === undefined) {
    throw fwError(HTTP_ERRORS.FW_HTTP_TARGET, {
      problem: 'it is neither a path that begins with "/" nor an http URL without user information',
    });
  }
  if (host !== undefined && host.toLowerCase() !== authority.toLowerCase()) {
    throw fwError(HTTP_ERRORS.FW_HTTP_TARGET, { problem: 'it names another host than the Host header does' });
  }
  const rest = target.slice(whole.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function partsOf(target: string): readonly [path: string, query: string] {
  if (target.includes('#')) {
    throw fwError(HTTP_ERRORS.FW_HTTP_TARGET, { problem: 'it has a fragment ("#"), which clients keep to themselves' });
  }
  const query = target.indexOf('?');
  return query < 0 ? [target, ''] : [target.slice(0, query), target.slice(query)];
}

// The last segment may be empty: a path may end with a slash.
function segmentsOf(path: string): string[] {
  const segments = path.slice(1).split('/');
  if (segments.slice(0, -1).includes('')) throw ambiguous('it has an empty segment ("//")');
  return segments;
}

function canonicalSegment(segment: string): string {
  const text = decoded(segment);
  if (text.includes('\\')) throw ambiguous('it has a backslash');
  if (text.includes('\0')) throw ambiguous('it has a NUL');
  if (text.split('/').some((part) => DOTS.test(part))) throw ambiguous('it has a dot segment');
  return encodeURIComponent(text).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}

// Some servers drop text after ";", or blanks, before they interpret dot segments.
const DOTS = /^[\s\x00-\x20\x85]*\.\.?[\s\x00-\x20\x85]*(?:;|$)/;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment.replace(/[^\0-\x7f]+/g, encodeURIComponent));
  } catch (cause) {
    throw fwError(HTTP_ERRORS.FW_HTTP_PATH_MALFORMED, {}, { cause });
  }
}

function ambiguous(problem: string) {
  return fwError(HTTP_ERRORS.FW_HTTP_PATH_AMBIGUOUS, { problem });
}

/** Field of the context with the target as it was decided. */
export const DECIDED_URL: unique symbol = Symbol('fw.http.decided-url');
export const DECIDED_METHOD: unique symbol = Symbol('fw.http.decided-method');
export const DECIDED_PATH: unique symbol = Symbol('fw.http.decided-path');
const REWRITTEN: unique symbol = Symbol('fw.http.rewritten-target');
/** Property of an application's context: {@link TargetSurroundings.takesEncodedSlash}. */
export const TAKES_ENCODED_SLASH: unique symbol = Symbol('fw.http.takes-encoded-slash');

interface Decided {
  [DECIDED_URL]?: string | undefined;
  [DECIDED_METHOD]?: string | undefined;
  [DECIDED_PATH]?: string | undefined;
  [REWRITTEN]?: { readonly from: string; readonly path: string };
  readonly [TAKES_ENCODED_SLASH]?: (method: string, path: string) => boolean;
}

/**
 * Decides the target of a request that has just come in. From then on `ctx.url` and `req.url` have the normal form; `ctx.originalUrl` stays
 * as sent, for signatures.
 *
 * @throws FwError see {@link decidedTarget}
 */
export function decideTarget(context: HttpContext): void {
  const { req } = context;
  const here = context as Decided;
  const target = req.url as string;
  const method = req.method as string;
  let path = plainPath(target);
  if (path === undefined) {
    const { host } = req.headers;
    const decision = decidedTarget(target, { method, host, takesEncodedSlash: here[TAKES_ENCODED_SLASH] });
    req.url = decision.url;
    path = decision.path;
  }
  here[DECIDED_URL] = req.url;
  here[DECIDED_METHOD] = method;
  here[DECIDED_PATH] = path;
}

/**
 * The path for all decisions about a request: in normal form, without query and without one trailing slash. A path that a middleware has
 * set is decided like a received one.
 *
 * @throws FwError `FW_HTTP_TARGET`, `FW_HTTP_PATH_AMBIGUOUS` or `FW_HTTP_PATH_MALFORMED`, each 400
 */
export function requestPath(context: HttpContext): string {
  const here = context as Decided;
  const url = context.req.url as string;
  if (url === here[DECIDED_URL]) return here[DECIDED_PATH] as string;
  const known = here[REWRITTEN];
  if (known?.from === url) return known.path;
  const takesEncodedSlash = here[TAKES_ENCODED_SLASH];
  const { path } = decidedTarget(url, { method: context.req.method as string, takesEncodedSlash });
  here[REWRITTEN] = { from: url, path };
  return path;
}

/** The target as it was decided when the request came in; undefined when it was refused. */
export function decidedUrl(context: HttpContext): string | undefined {
  return (context as Decided)[DECIDED_URL];
}

/** Whether a middleware has changed the method or target since they were decided. */
export function isRewritten(context: HttpContext): boolean {
  const here = context as Decided;
  return context.req.url !== here[DECIDED_URL] || context.req.method !== here[DECIDED_METHOD];
}

/** The path of a request for logs and error bodies, even of a refused one. No decision may use it. */
export function shownPath(context: HttpContext): string {
  const here = context as Decided;
  const url = context.req.url as string;
  return url === here[DECIDED_URL] ? (here[DECIDED_PATH] as string) : pathOfTarget(url);
}

/** A refused target in a form that every reader of `ctx.path` can parse. */
export function harmlessTarget(target: string): string {
  const path = pathOfTarget(target);
  return path.startsWith('/') ? path : `/${path}`;
}

// `uri-host [ ":" port ]` (RFC 9110, section 7.2); some clients leave the zone of an IPv6 address in it (RFC 6874).
const HOST =
  /^(?:\[[\da-f:.]+(?:%(?:25)?[\w.~-]+)?\]|\[v[\da-f]+\.[\w.~!$&'()*+;=:-]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** The Host that was read last and is valid: most requests have the same one. */
let validHost = '';

/**
 * The error of a Host header that names two hosts, of which an intermediary may have used the other, or none (RFC 9112, section 3.2).
 *
 * @returns undefined for a valid one, and without one
 */
export function hostError({ headers: { host } }: IncomingMessage): FwError | undefined {
  if (host === undefined || host === validHost) return undefined;
  if (host.includes(',')) return fwError(HTTP_ERRORS.FW_HTTP_TWO_HOSTS, {});
  if (!HOST.test(host)) return fwError(HTTP_ERRORS.FW_HTTP_HOST, {});
  validHost = host;
  return undefined;
}
