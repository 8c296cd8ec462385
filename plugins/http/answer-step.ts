import { type Answer, fwError, type HttpContext, type RouteInfo } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/** The head of an {@link Answer}, and whether a body follows. */
interface AnswerHead {
  /** Media type of the body; undefined for Koa's own guess. */
  readonly type: string | undefined;
  readonly isEmpty: boolean;
}

/**
 * Sets status and headers of an answer made by `answer`.
 *
 * @throws FwError `FW_HTTP_ANSWER` for a status or a media type that the route does not declare
 * @throws the error of its status, for a status from 400 without a body, which is answered with problem details like any other error
 */
export function takeAnswer(context: HttpContext, answer: Answer, route: RouteInfo): AnswerHead {
  const { status, body, headers } = answer;
  const type = declaredType(answer, route);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) context.set(name, Array.isArray(value) ? [...(value as string[])] : String(value));
  if (body === undefined && status >= 400) context.throw(status);
  context.status = status;
  return { type, isEmpty: body === undefined || status === 204 || status === 205 || status === 304 };
}

function declaredType({ status, type }: Answer, route: RouteInfo): string | undefined {
  const declared = route.responses?.[status];
  if (declared === undefined && status !== route.status) throw undeclared(String(status), route);
  const types = Object.keys(declared?.content ?? {});
  if (type === undefined) return types[0];
  const isKnown = types.length > 0 ? types.includes(essence(type)) : isOwnType(type);
  if (!isKnown) throw undeclared(`${status} with ${type}`, route);
  return type;
}

function undeclared(what: string, { method, path, status, responses = {} }: RouteInfo): Error {
  const all = [...new Set([status, ...Object.keys(responses).map(Number)])].sort((a, b) => a - b);
  const declared = all.map((each) => {
    const types = Object.keys(responses[each]?.content ?? {});
    return types.length === 0 ? String(each) : `${each} (${types.join(', ')})`;
  });
  return fwError(HTTP_ERRORS.FW_HTTP_ANSWER, { method, path, what, declared: declared.join(', ') });
}

// `text/csv; header=present` is text/csv (RFC 9110, section 8.3.1).
function essence(type: string): string {
  return (type.split(';', 1)[0] as string).trim().toLowerCase();
}

/** Media types that a body has without a declared type. */
function isOwnType(type: string): boolean {
  return essence(type) === 'application/json' || essence(type) === 'text/plain';
}
