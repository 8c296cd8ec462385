import type { HttpContext } from '../../../kernel/index.js';
import { cutText } from '../../../kernel/log/index.js';

const REQUEST = ['accept', 'content-type', 'content-length', 'host', 'origin', 'user-agent', 'x-request-id'] as const;
/** Headers whose values are credentials, so that only their presence is shown. */
const MASKED = ['authorization', 'cookie', 'x-api-key'] as const;
const RESPONSE = ['cache-control', 'content-encoding', 'content-length', 'content-type', 'etag', 'location', 'retry-after', 'vary', 'x-request-id'] as const; // prettier-ignore
const MAX_VALUE = 300;

/** Headers of a request and its response that help and contain no secret. `Referer` is left out, because its query may contain one. */
export function shownHeaders(context: HttpContext): {
  readonly request_headers: Readonly<Record<string, string>>;
  readonly response_headers: Readonly<Record<string, string>>;
} {
  const masked = MASKED.filter((name) => context.get(name) !== '').map((name) => [name, '***'] as const);
  return {
    request_headers: Object.fromEntries([...present(REQUEST, (name) => context.get(name)), ...masked]),
    response_headers: Object.fromEntries(present(RESPONSE, (name) => textOf(context.res.getHeader(name)))),
  };
}

function present(names: readonly string[], valueOf: (name: string) => string): [string, string][] {
  return names.flatMap((name) => {
    const value = cutText(valueOf(name), MAX_VALUE);
    return value === '' ? [] : [[name, withoutQuery(name, value)] as [string, string]];
  });
}

function withoutQuery(name: string, value: string): string {
  return name === 'location' ? (value.split(/[?#]/, 1)[0] ?? '') : value;
}

function textOf(value: number | string | readonly string[] | undefined): string {
  return value === undefined ? '' : String(value);
}
