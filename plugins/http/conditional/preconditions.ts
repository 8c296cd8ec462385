import type { IncomingHttpHeaders } from 'node:http';
import { httpDate } from '../../../kernel/net/index.js';
import { matchesETag, matchesStrongly } from './entity-tags.js';

/** Validators of the current version of a resource (RFC 9110, section 8.8). */
export interface Validators {
  /** Quoted. */
  readonly etag?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly lastModified?: number | undefined;
}

/** Result of the preconditions of a request: continue, 304, or 412. */
export type Outcome = 'proceed' | 'unchanged' | 'failed';

/** The preconditions of a request; undefined when it has none. */
export type Preconditions = Pick<
  IncomingHttpHeaders,
  'if-match' | 'if-none-match' | 'if-modified-since' | 'if-unmodified-since'
>;

/** Reads the preconditions of a request; later changes of its headers have no effect. */
export function preconditionsOf(headers: IncomingHttpHeaders): Preconditions | undefined {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  const modified = headers['if-modified-since'];
  const unmodified = headers['if-unmodified-since'];
  if (none === undefined && match === undefined && modified === undefined && unmodified === undefined) return undefined;
  return {
    'if-match': match,
    'if-none-match': none,
    'if-modified-since': modified,
    'if-unmodified-since': unmodified,
  };
}

/**
 * Evaluates preconditions in the order of RFC 9110, section 13.2.2.
 *
 * @param current - undefined if the resource does not exist, for which only `If-None-Match` is true
 */
export function outcomeOf(
  method: string | undefined,
  headers: Preconditions,
  current: Validators | undefined,
): Outcome {
  if (isOutdated(headers, current)) return 'failed';
  const isRead = method === 'GET' || method === 'HEAD';
  const known = isKnown(headers, current, isRead);
  if (!known) return 'proceed';
  return isRead ? 'unchanged' : 'failed';
}

// If-Unmodified-Since counts only without If-Match, and only where a date is known.
function isOutdated(headers: Preconditions, current: Validators | undefined): boolean {
  const match = headers['if-match'];
  if (match !== undefined) {
    if (current === undefined) return true;
    return match.trim() !== '*' && (current.etag === undefined || !matchesStrongly(match, current.etag));
  }
  const since = httpDate(headers['if-unmodified-since']);
  return since !== undefined && current?.lastModified !== undefined && seconds(current.lastModified) > seconds(since);
}

// If-Modified-Since counts only without If-None-Match, and only for reading.
function isKnown(headers: Preconditions, current: Validators | undefined, isRead: boolean): boolean {
  const none = headers['if-none-match'];
  if (none !== undefined) {
    if (current === undefined) return false;
    return none.trim() === '*' || (current.etag !== undefined && matchesETag(none, current.etag));
  }
  const since = isRead ? httpDate(headers['if-modified-since']) : undefined;
  return since !== undefined && current?.lastModified !== undefined && seconds(current.lastModified) <= seconds(since);
}

// Dates in headers have no fractions.
const seconds = (milliseconds: number) => Math.trunc(milliseconds / 1000);
