import {
  type CurrentState,
  direct,
  fwError,
  type HttpContext,
  isThenable,
  type RouteOptions,
} from '../../../kernel/index.js';
import type { Encoding } from '../accept-encoding.js';
import { HTTP_ERRORS } from '../errors.js';
import type { ChainStep } from '../middleware-chain.js';
import type { AccessPlace } from '../route-access.js';
import { listedTag } from './entity-tags.js';
import { httpDate } from '../../../kernel/net/index.js';
import { outcomeOf, preconditionsOf, type Validators } from './preconditions.js';

const STATE_TAG = Symbol('fw.http.state-tag');

/** A context whose response has the ETag of a state. */
type Tagged = HttpContext & { [STATE_TAG]?: string };

/** Suffix of a state's ETag for an encoded representation: `"7;br"`. */
const CODING = /;(?:br|gzip|deflate)"/g;

/** The options of a route about preconditions. */
type Conditions = Pick<RouteOptions, 'validator' | 'precondition'>;

/**
 * The step of a route that calls its `validator` for the current state, puts it into `ctx.current`, and evaluates the preconditions of the
 * request against it before the handler runs (RFC 9110, section 13.2). Undefined for a route without a `validator`.
 */
export function conditionStep({ validator, precondition = 'optional' }: Conditions): readonly ChainStep[] {
  if (validator === undefined) return [];
  const ask = validator as unknown as (context: HttpContext) => unknown;
  return [
    direct(function conditions(context, next) {
      const go = (state: unknown) => {
        (context as unknown as { current: unknown }).current = state;
        const current = state === undefined || state === null ? undefined : (state as CurrentState);
        if (precondition === 'required') requireCondition(context, current);
        return isAnswered(context, current) ? undefined : next();
      };
      const state = ask(context);
      return isThenable(state) ? state.then(go) : go(state);
    }),
  ];
}

/**
 * Refuses a route that requires preconditions without a `validator`.
 * @throws FwError `FW_HTTP_ROUTE_OPTION`
 */
export function refuseBlindConditions({ validator, precondition }: Conditions, place: AccessPlace): void {
  const known = precondition === undefined || precondition === 'optional' || precondition === 'required';
  const problem = !known
    ? `its \`precondition\` is ${String(precondition)}; expected optional or required`
    : validator !== undefined && typeof validator !== 'function'
      ? 'its `validator` is no function'
      : precondition !== undefined && validator === undefined
        ? 'it says `precondition` without a `validator` to evaluate it by'
        : undefined;
  if (problem !== undefined) throw fwError(HTTP_ERRORS.FW_HTTP_ROUTE_OPTION, { ...place, problem });
}

/**
 * Sets `ETag` and `Last-Modified` for the state of the response. A route with a `validator` does this itself for reads; a handler that
 * writes calls it with the new state, for the client's next `If-Match`.
 */
export function setValidators(context: HttpContext, state: CurrentState): void {
  const { etag, lastModified } = validatorsOf(state);
  if (etag !== undefined) {
    context.res.setHeader('ETag', etag);
    (context as Tagged)[STATE_TAG] = etag;
  }
  if (lastModified !== undefined) context.res.setHeader('Last-Modified', new Date(lastModified).toUTCString());
}

/**
 * The error of a write that found another state than `ctx.current`, because of a concurrent write. 412 if the request had a precondition;
 * else 409, after which the client should read again.
 *
 * @example const { affectedRows } = await update`... WHERE id = ${id} AND version = ${ctx.current}`; if (affectedRows === 0) throw
 *   changedMeanwhile(ctx);
 */
export function changedMeanwhile(context: Pick<HttpContext, 'req' | 'path'>): Error {
  const { req, path } = context;
  return preconditionsOf(req.headers) ? preconditionFailed(context) : fwError(HTTP_ERRORS.FW_HTTP_CONFLICT, { path });
}

/** The answer 412 to a request whose preconditions are not met. */
export function preconditionFailed({ path }: Pick<HttpContext, 'path'>): Error {
  return fwError(HTTP_ERRORS.FW_HTTP_PRECONDITION_FAILED, { path });
}

/**
 * An ETag for the encoded form of a body. A strong tag identifies bytes, and the encoded ones differ (RFC 9110, section 8.8.3). The tag of
 * a state gets the coding as a suffix, so that it can still be used for `If-Match`; any other tag becomes weak.
 */
export function encodedTag(context: HttpContext, tag: string, encoding: Encoding): string {
  if (tag.startsWith('W/')) return tag;
  return (context as Tagged)[STATE_TAG] === tag ? `${tag.slice(0, -1)};${encoding}"` : `W/${tag}`;
}

function isAnswered(context: HttpContext, state: CurrentState | undefined): boolean {
  const { method, headers } = context.req;
  const current = state === undefined ? undefined : validatorsOf(state);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && state !== undefined) setValidators(context, state);
  const asked = preconditionsOf(headers);
  if (asked === undefined) return false;
  const ofStates = { 'if-match': ofState(asked['if-match']), 'if-none-match': ofState(asked['if-none-match']) };
  const outcome = outcomeOf(method, { ...asked, ...ofStates }, current);
  if (outcome === 'proceed') return false;
  if (outcome === 'failed') throw preconditionFailed(context);
  answerUnchanged(context, current?.etag);
  return true;
}

// Confirms the tag that the client has sent, because its cached body belongs to that one.
function answerUnchanged(context: HttpContext, etag: string | undefined): void {
  const none = context.req.headers['if-none-match'];
  const codings = ['', ';br', ';gzip', ';deflate'];
  const named = codings
    .map((coding) => etag && none && listedTag(none, `${etag.slice(0, -1)}${coding}"`))
    .find(Boolean);
  if (named) context.res.setHeader('ETag', named);
  context.status = 304;
  context.body = null;
}

function ofState(header: string | undefined): string | undefined {
  return header?.replace(CODING, '"');
}

function validatorsOf(state: CurrentState): Validators {
  if (state instanceof Date) return { lastModified: state.getTime() };
  if (typeof state !== 'object') return { etag: tagOf(state) };
  const { version, lastModified } = state;
  return {
    etag: version === undefined ? undefined : tagOf(version),
    lastModified: lastModified?.getTime(),
  };
}

function tagOf(version: string | number | bigint): string {
  return `"${encodeURIComponent(String(version))}"`;
}

// RFC 6585, section 3: without a precondition, a client could overwrite the changes of others. If-Unmodified-Since is no precondition for a
// state without a date (RFC 9110, section 13.1.4), nor is a list of tags in If-None-Match, which every other state passes.
function requireCondition({ req, path }: HttpContext, state: CurrentState | undefined): void {
  const { method, headers } = req;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  const isDated = state !== undefined && validatorsOf(state).lastModified !== undefined;
  const isSaid =
    headers['if-match'] !== undefined ||
    headers['if-none-match']?.trim() === '*' ||
    (isDated && httpDate(headers['if-unmodified-since']) !== undefined);
  if (!isSaid) throw fwError(HTTP_ERRORS.FW_HTTP_PRECONDITION_REQUIRED, { path });
}
