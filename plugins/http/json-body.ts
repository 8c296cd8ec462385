import { type FwError, fwError, type HttpContext, jsonText } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/** The body of a response as JSON. @throws FwError `FW_HTTP_BODY_UNWRITABLE` naming the route */
export function jsonBody(context: HttpContext, body: unknown): string {
  try {
    return jsonText(body);
  } catch (cause) {
    throw unwritable(context, cause);
  }
}

/** The error for a body that cannot be written, naming the route. */
export function unwritable({ method, route, path }: HttpContext, cause: unknown): FwError {
  const reason = cause instanceof Error ? cause.message.replace(/\s+/g, ' ') : String(cause);
  return fwError(HTTP_ERRORS.FW_HTTP_BODY_UNWRITABLE, { method, path: route?.path ?? path, reason }, { cause });
}
