import type { ServerResponse } from 'node:http';
import { isDirect, isThenable } from '../../kernel/index.js';
import { LineResponse } from './fast-koa/line-response.js';
import type { ChainStep } from './middleware-chain.js';

/** Headers that describe an error, so that they stay even if a handler has set them. All its other headers were meant for its response. */
const ABOUT_ERRORS = ['Retry-After', 'WWW-Authenticate', 'Proxy-Authenticate', 'Allow', 'Upgrade'] as const;

type Headers = readonly (readonly [name: string, value: number | string | string[]])[];

// Marks of responses that cannot keep them themselves; null when the mark was removed.
const marks = new WeakMap<ServerResponse, Headers | null>();

/** Marks the headers that middlewares have set, in case the next step fails. */
function markHeaders(response: ServerResponse): void {
  if (response instanceof LineResponse) response.markHeaders();
  else marks.set(response, headersOf(response));
}

/** Removes the mark, so that later headers stay. */
function forgetMark(response: ServerResponse): void {
  if (response instanceof LineResponse) response.forgetMark();
  else marks.set(response, null);
}

/**
 * Restores the headers at the mark, once: a `Cache-Control` or `Set-Cookie` that was meant for the failed response must not be sent with an
 * error. Does nothing without a mark, or after the headers were sent.
 */
export function restoreHeaders(response: ServerResponse): void {
  if (response.headersSent) return;
  const kept = ABOUT_ERRORS.map((name) => [name, response.getHeader(name)] as const);
  if (!goneBack(response)) return;
  for (const [name, value] of kept) if (value !== undefined) response.setHeader(name, value);
}

/** Whether the headers of a response were ever marked; false in a plain Koa application. */
export function wasMarked(response: ServerResponse): boolean {
  return response instanceof LineResponse ? response.wasMarked : marks.has(response);
}

/** Marks the headers before a step that answers. */
export function marking(step: ChainStep): ChainStep {
  return (context, next) => {
    markHeaders(context.res);
    return step(context, next);
  };
}

/**
 * Wraps a third-party middleware, which may answer itself: headers that it sets before `next` stay, but are removed when it fails without
 * having called `next`. Our own middlewares set none before they fail.
 */
export function markingUntilNext(step: ChainStep): ChainStep {
  if (isDirect(step)) return step;
  return (context, next) => {
    const { res } = context;
    const failed = (error: unknown): never => {
      restoreHeaders(res);
      throw error;
    };
    const inner = () => {
      forgetMark(res);
      return next().catch(failed) as Promise<void>;
    };
    markHeaders(res);
    try {
      const pending = step(context, inner);
      return isThenable(pending) ? pending.then(undefined, failed) : pending;
    } catch (error) {
      return failed(error);
    }
  };
}

function goneBack(response: ServerResponse): boolean {
  if (response instanceof LineResponse) return response.restoreHeaders();
  const before = marks.get(response);
  if (!before) return false;
  marks.set(response, null);
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  for (const [name, value] of before) response.setHeader(name, value);
  return true;
}

// `getRawHeaderNames` keeps the spelling; response objects that wrap others may lack it.
function headersOf(response: ServerResponse): Headers {
  const { getRawHeaderNames } = response as { getRawHeaderNames?: () => string[] };
  const names = getRawHeaderNames ? getRawHeaderNames.call(response) : response.getHeaderNames();
  return names.map((name) => {
    const value = response.getHeader(name) as number | string | string[];
    return [name, Array.isArray(value) ? [...value] : value];
  });
}
