import { type FwError, fwError, type HttpContext, jsonText } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { lostValue, NAMES_LOST_VALUES } from './lost-value.js';

/**
 * The body of a response as JSON, or a part of one.
 *
 * @throws FwError `FW_HTTP_BODY_UNWRITABLE` naming the route; outside of production also for a value that would become `{}`
 */
export function jsonBody(context: HttpContext, body: unknown): string {
  let text: string;
  try {
    text = jsonText(body);
  } catch (cause) {
    throw unwritable(context, cause);
  }
  if ((context as Marked)[NAMES_LOST_VALUES] !== true) return text;
  const lost = lostValue(body, text);
  if (lost !== undefined) throw unwritable(context, new TypeError(lost));
  return text;
}

interface Marked extends HttpContext {
  readonly [NAMES_LOST_VALUES]?: boolean;
}

/** The error for a body that cannot be written, naming the route. */
export function unwritable({ method, route, path }: HttpContext, cause: unknown): FwError {
  const reason = cause instanceof Error ? cause.message.replace(/\s+/g, ' ') : String(cause);
  return fwError(HTTP_ERRORS.FW_HTTP_BODY_UNWRITABLE, { method, path: route?.path ?? path, reason }, { cause });
}
