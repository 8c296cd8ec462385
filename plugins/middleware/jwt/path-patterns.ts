import { posix } from 'node:path';
import { fwError, isFwError } from '../../../kernel/index.js';
import { decodedSegments, decidedTarget } from '../../http/index.js';
import { JWT_ERRORS } from './errors.js';

/** A test of a path from `requestPath`, or of a route pattern. */
type PathTest = (path: string) => boolean;

type Segments = readonly string[];

/** Patterns such as `/api/admin/**`: `*` is one segment, `**` at the end any number of them, none included. */
export class GuardedPaths {
  readonly #protect: readonly Segments[];
  readonly #except: readonly Segments[];
  readonly #all: boolean;
  /** Cached results for paths of usual length. */
  readonly #known = new Map<string, boolean>();
  readonly #withoutWider = new Map<string, PathTest>();

  /** @throws FwError `FW_JWT_PATTERN` for a pattern that matches nothing */
  constructor(protect: readonly string[], except: readonly string[]) {
    this.#protect = protect.map((pattern) => parsed(pattern, 'protect').map(folded));
    this.#except = except.map((pattern) => parsed(pattern, 'except'));
    this.#all = protect.includes('/**') && except.length === 0;
  }

  /** Whether a path is protected and not excepted. */
  has(path: string): boolean {
    if (this.#all) return true;
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const result = isGuarded(this.#protect, this.#except, path);
    // Long paths are not cached, because any client can send them without a token.
    if (path.length > MEMO_PATH_LENGTH) return result;
    if (this.#known.size >= MEMO_SIZE) this.#known.clear();
    this.#known.set(path, result);
    return result;
  }

  /**
   * How much of a route's paths is protected. It is `some` if patterns and the route's parameters overlap, or only several patterns
   * together cover the route.
   *
   * @param route - the pattern of the route
   */
  shareOf(route: string, isPublic = false): 'all' | 'some' | 'none' {
    const segments = segmentsOfRoute(route);
    const counted = isPublic ? this.#protect.filter((pattern) => !isWider(pattern, segments)) : this.#protect;
    if (!counted.some((pattern) => overlaps(pattern, segments))) return 'none';
    if (this.#except.some((pattern) => covers(pattern, segments, asWritten))) return 'none';
    const isWhole = counted.some((pattern) => covers(pattern, segments));
    return isWhole && !this.#except.some((pattern) => overlaps(pattern, segments, asWritten)) ? 'all' : 'some';
  }

  /**
   * Whether a path is protected although its route is public: a pattern that is wider than the route does not count, but one that names a
   * part of the route's paths does.
   *
   * @param route - the pattern of the route
   */
  hasDespite(route: string, path: string): boolean {
    let test = this.#withoutWider.get(route);
    if (test === undefined) {
      const segments = segmentsOfRoute(route);
      const left = this.#protect.filter((pattern) => !isWider(pattern, segments));
      test = (each) => isGuarded(left, this.#except, each);
      this.#withoutWider.set(route, test);
    }
    return test(path);
  }
}

/** Most paths whose outcome is remembered. */
const MEMO_SIZE = 1024;
/** Longest of them, in characters. */
const MEMO_PATH_LENGTH = 128;

function parsed(pattern: string, option: 'protect' | 'except'): Segments {
  const refuse = (problem: string, cause?: unknown): never => {
    throw fwError(JWT_ERRORS.FW_JWT_PATTERN, { pattern, option, problem }, { cause });
  };
  if (pattern.includes('?')) refuse('a path has no query');
  const segments = segmentsOf(pattern, refuse);
  for (const [index, segment] of segments.entries()) {
    if (segment === '**' && index < segments.length - 1) refuse('`**` stands at the end');
    if (segment.includes('*') && !/^\*\*?$/.test(segment)) refuse('`*` stands for a whole segment');
    if (segment.startsWith(':')) refuse(`write * in place of ${segment}`);
  }
  return segments;
}

function segmentsOf(pattern: string, refuse: (problem: string, cause: unknown) => never): Segments {
  try {
    return decodedSegments(decidedTarget(pattern, { method: 'GET' }).path);
  } catch (error) {
    if (!isFwError(error)) throw error;
    return refuse(`a request for such a path is refused as ${error.code}`, error);
  }
}

// A lenient spelling must not bypass a pattern: a path that some reader could take for a protected one is protected, and an exception needs
// an exact match.
function isGuarded(protect: readonly Segments[], except: readonly Segments[], path: string): boolean {
  const segments = decodedSegments(path);
  const readings = laxReadings(path, segments);
  if (!protect.some((pattern) => readings.some((reading) => matches(pattern, reading)))) return false;
  const split = segments.join('/').split('/');
  return !except.some((pattern) => matches(pattern, segments) && matches(pattern, split));
}

/** Usual paths, which lenient readers change only in case. */
const ONLY_CASE = /^(?:\/(?:[\w~!$&'()*+,=:@.-]*[\w~!$&'()*+,=:@-])?)*$/;

/** The path as lenient readers see it: segment by segment, and with look-alikes of slashes and dots taken for these. */
function laxReadings(path: string, segments: Segments): readonly Segments[] {
  if (ONLY_CASE.test(path)) return [segments.map((segment) => segment.toUpperCase())];
  const whole = posix.normalize(`/${unified(segments.join('/')).replaceAll('\\', '/')}`);
  return [
    segments.map(folded),
    whole
      .split('/')
      .map(cut)
      .filter((segment) => segment !== ''),
  ];
}

function matches(pattern: Segments, segments: Segments): boolean {
  const open = pattern.at(-1) === '**';
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (open ? segments.length < fixed.length : segments.length !== fixed.length) return false;
  return fixed.every((part, index) => part === '*' || part === segments[index]);
}

/** A segment without parts that some readers of paths ignore. */
function folded(segment: string): string {
  return cut(unified(segment));
}

// One form of all letters that are the same but for case, in every alphabet, or that look the same (NFKD; the dot of the Turkish I),
// without characters that have no shape. Upper, lower and upper case again, because only then "ß" and "ẞ" become equal.
function unified(text: string): string {
  const shaped = text.normalize('NFKD').replace(/[\u0307\p{Default_Ignorable_Code_Point}]/gu, '');
  return shaped.toUpperCase().toLowerCase().toUpperCase();
}

// Servlet containers drop ";" and the rest, Windows trailing dots, others blanks and control characters.
function cut(segment: string): string {
  const [text = ''] = segment.split(';', 1);
  let end = text.length;
  // A loop, because a regular expression could begin anew at every dot of a long path.
  while (end > 0 && IGNORED_AT_END.test(text[end - 1] as string)) end--;
  return text.slice(0, end).replace(IGNORED_BEFORE, '');
}

const IGNORED_BEFORE = /^[\s\x00-\x20\x85]+/;
const IGNORED_AT_END = /[.\s\x00-\x20\x7f-\xa0]/;

function segmentsOfRoute(route: string): Segments {
  return route === '/' ? [] : route.slice(1).split('/');
}

// Whether a pattern matches all paths of a route, and more.
function isWider(pattern: Segments, route: Segments): boolean {
  return pattern.some((part) => part.startsWith('*')) && covers(pattern, route);
}

// Exceptions match only exactly.
const asWritten = (segment: string) => segment;

// Whether a pattern matches all paths of a route.
function covers(pattern: Segments, route: Segments, read = folded): boolean {
  const open = pattern.at(-1) === '**';
  const fixed = open ? pattern.slice(0, -1) : pattern;
  if (!open && (route.length !== fixed.length || route.at(-1)?.startsWith('*'))) return false;
  return fixed.every((part, index) => {
    const segment = route[index];
    if (segment === undefined || segment.startsWith('*')) return false;
    return part === '*' || (!segment.startsWith(':') && part === read(decodeURIComponent(segment)));
  });
}

// Whether a pattern matches some path of a route.
function overlaps(pattern: Segments, route: Segments, read = folded): boolean {
  const isOpen = pattern.at(-1) === '**';
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  const isWild = route.at(-1)?.startsWith('*') === true;
  const own = isWild ? route.slice(0, -1) : route;
  if (!isOpen && fixed.length < own.length) return false;
  if (!isWild && fixed.length > own.length) return false;
  return fixed.every((part, index) => {
    const segment = own[index];
    if (segment === undefined || part === '*' || segment.startsWith(':')) return true;
    return part === read(decodeURIComponent(segment));
  });
}
