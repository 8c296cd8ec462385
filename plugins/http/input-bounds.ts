import { parse, type ParsedUrlQuery } from 'node:querystring';
import { fwError } from '../../kernel/index.js';
import { BindingError } from './binding-error.js';
import { HTTP_ERRORS } from './errors.js';

/** Default limit of pairs in a query and of fields in a form. */
export const DEFAULT_FIELD_LIMIT = 10_000;

/** Default limit of the nesting of an input. */
export const DEFAULT_DEPTH_LIMIT = 100;

/** Bounds of a client's input, besides the size of the body. */
export interface InputBounds {
  /** Most pairs of a query, and fields of a form. */
  readonly fieldLimit: number;
  /** Deepest nesting of JSON, and most brackets in the name of a field. */
  readonly depthLimit: number;
}

/**
 * The pairs of a query; all of them, while Node and Koa silently stop after 1,000.
 * @throws FwError `FW_HTTP_QUERY_TOO_LONG` (414)
 */
export function queryPairs(query: string, limit: number): ParsedUrlQuery {
  if (hasMorePairs(query, limit)) throw fwError(HTTP_ERRORS.FW_HTTP_QUERY_TOO_LONG, { limit });
  return pairsIn(query);
}

/** The fields of a form, likewise. @throws BindingError `FW_HTTP_TOO_MANY_FIELDS` (413) */
export function formFields(form: string, limit: number): ParsedUrlQuery {
  if (hasMorePairs(form, limit)) throw tooManyFields(limit);
  return pairsIn(form);
}

/** The error for a form with too many fields. */
export function tooManyFields(limit: number): BindingError {
  return new BindingError(HTTP_ERRORS.FW_HTTP_TOO_MANY_FIELDS, { limit });
}

/**
 * Refuses a value that is nested too deeply for its later readers: validators, writers and loggers recurse for each level, and would
 * overflow the stack (RFC 8259, section 9, lets a parser have such a limit).
 *
 * @throws BindingError `FW_HTTP_BODY_TOO_DEEP` (400)
 */
export function refuseTooDeep(value: unknown, limit: number): void {
  if (isDeeperThan(value, limit)) throw new BindingError(HTTP_ERRORS.FW_HTTP_BODY_TOO_DEEP, { limit });
}

/**
 * The pairs as an ordinary object. Node gives them as a dictionary, which takes several times as long to spread. `__proto__`, which no
 * input has, is left out, because assigned it would be the prototype.
 */
export function plainPairs(pairs: ParsedUrlQuery): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name in pairs) if (name !== '__proto__') plain[name] = pairs[name];
  return plain;
}

function pairsIn(text: string): ParsedUrlQuery {
  return parse(text, '&', '=', { maxKeys: 0 });
}

function hasMorePairs(text: string, limit: number): boolean {
  if (text.length < limit) return false;
  let pairs = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) if (++pairs > limit) return true;
  return pairs > limit;
}

/** Whether lists and objects are nested deeper than a number of levels. Visits at most one level more. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const name in value) if (isDeeperThan((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}
