import type { ServerResponse } from 'node:http';
import { isDirect, isThenable } from '../../kernel/index.js';
import { LineResponse } from './fast-koa/line-response.js';
import type { ChainStep } from './middleware-chain.js';

/** Headers that are about an error, whoever has set them: all others that a handler sets are about the answer it did not give. */
const ABOUT_ERRORS = ['Retry-After', 'WWW-Authenticate', 'Proxy-Authenticate', 'Allow', 'Upgrade'] as const;

type Headers = readonly (readonly [name: string, value: number | string | string[]])[];

// What is remembered of responses that cannot do so themselves; null when it was given up.
const marks = new WeakMap<ServerResponse, Headers | null>();

/** Remembers the headers that middlewares have set, for the case that what is called now fails. */
export function markHeaders(response: ServerResponse): void {
  if (response instanceof LineResponse) response.markHeaders();
  else marks.set(response, headersOf(response));
}

/** Lets later headers be those of a middleware, which stay. */
export function forgetMark(response: ServerResponse): void {
  if (response instanceof LineResponse) response.forgetMark();
  else marks.set(response, null);
}

/**
 * Goes back to the headers at the mark, once: a `Cache-Control` or `Set-Cookie` that was meant for an answer must not go out
 * with an error. Nothing happens without a mark, or when the headers are sent.
 */
export function restoreHeaders(response: ServerResponse): void {
  if (response.headersSent) return;
  const kept = ABOUT_ERRORS.map((name) => [name, response.getHeader(name)] as const);
  if (!goneBack(response)) return;
  for (const [name, value] of kept) if (value !== undefined) response.setHeader(name, value);
}

/** Whether somebody has ever marked the headers of a response; in a plain Koa application nobody does. */
export function wasMarked(response: ServerResponse): boolean {
  return response instanceof LineResponse ? response.wasMarked : marks.has(response);
}

/** A step that answers, with the headers marked before it runs. */
export function marking(step: ChainStep): ChainStep {
  return (context, next) => {
    markHeaders(context.res);
    return step(context, next);
  };
}

/**
 * A middleware of somebody else, which may be one that answers: what it sets before it calls `next` stays, and goes when it
 * fails without having called it. Our own middlewares set nothing before they fail.
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

// `getRawHeaderNames` keeps the spelling; responses that wrap others may lack it.
function headersOf(response: ServerResponse): Headers {
  const { getRawHeaderNames } = response as { getRawHeaderNames?: () => string[] };
  const names = getRawHeaderNames ? getRawHeaderNames.call(response) : response.getHeaderNames();
  return names.map((name) => {
    const value = response.getHeader(name) as number | string | string[];
    return [name, Array.isArray(value) ? [...value] : value];
  });
}
