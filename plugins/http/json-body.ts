import { fwError, type HttpContext, jsonText } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/** The body of a response as JSON. @throws FwError `FW_HTTP_BODY_UNWRITABLE` naming the route */
export function jsonBody(context: HttpContext, body: unknown): string {
  try {
    return jsonText(body);
  } catch (cause) {
    const { method, route, path } = context;
    const reason = cause instanceof Error ? cause.message.replace(/\s+/g, ' ') : String(cause);
    throw fwError(HTTP_ERRORS.FW_HTTP_BODY_UNWRITABLE, { method, path: route?.path ?? path, reason }, { cause });
  }
}
