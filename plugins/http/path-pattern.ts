import { fwError, isFwError } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { decidedTarget } from './request-target.js';

/** One segment of a route pattern. */
type PatternSegment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'param'; readonly name: string }
  | { readonly kind: 'wildcard'; readonly name: string };

/** A route pattern, read. */
export interface PathPattern {
  /** As written, without a trailing slash. */
  readonly text: string;
  readonly segments: readonly PatternSegment[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
// Names that would change the prototype of the parameter object.
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads a route pattern: literal segments, `:name`, and a last `*name` (or `*`, whose name is `wildcard`).
 *
 * @param pattern - starts with `/`; one trailing slash is ignored
 * @param module - who registers it, for the error
 * @throws FwError `FW_HTTP_ROUTE_PATTERN`
 */
export function parsePattern(pattern: string, module: string): PathPattern {
  const refuse = (problem: string): never => {
    throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_PATTERN, { pattern, module, problem });
  };
  if (!pattern.startsWith('/')) refuse('it must start with "/"');
  if (/[?#]/.test(pattern)) refuse('a path has no query and no fragment; declare a query with `input: { query }`');
  const text = pattern.length > 1 && pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
  const segments = segmentsOf(text).map((segment) => segmentOf(segment, refuse));
  checkSegments(segments, refuse);
  return { text, segments };
}

/** Segments between the slashes of a path; none for `/`. */
function segmentsOf(path: string): string[] {
  return path === '/' ? [] : path.slice(1).split('/');
}

/** Pattern without parameter names; two routes of one method must not share it. */
export function shapeOf({ segments }: PathPattern): string {
  const parts = segments.map((segment) =>
    segment.kind === 'literal' ? `=${segment.text}` : segment.kind === 'param' ? ':' : '*',
  );
  return `/${parts.join('/')}`;
}

type Refuse = (problem: string) => never;

function segmentOf(segment: string, refuse: Refuse): PatternSegment {
  if (segment === '') refuse('it has an empty segment ("//")');
  const sign = segment[0];
  if (sign !== ':' && sign !== '*') return literal(segment, refuse);
  const name = sign === '*' && segment === '*' ? 'wildcard' : segment.slice(1);
  if (!NAME.test(name)) refuse(`"${segment}" needs a name of letters, digits and underscores after "${sign}"`);
  if (FORBIDDEN_NAMES.has(name)) refuse(`"${name}" cannot be the name of a parameter`);
  return { kind: sign === ':' ? 'param' : 'wildcard', name };
}

function literal(text: string, refuse: Refuse): PatternSegment {
  try {
    decidedTarget(`/${text}`, { method: 'GET' });
  } catch (error) {
    if (!isFwError(error)) throw error;
    refuse(`no path that is answered holds "${text}" (${error.code})`);
  }
  return { kind: 'literal', text };
}

function checkSegments(segments: readonly PatternSegment[], refuse: Refuse): void {
  const names = segments.flatMap((segment) => (segment.kind === 'literal' ? [] : [segment.name]));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuse(`the parameter "${twice}" appears twice`);
  const wildcard = segments.findIndex(({ kind }) => kind === 'wildcard');
  if (wildcard >= 0 && wildcard < segments.length - 1) refuse('a *wildcard must be the last segment');
}
