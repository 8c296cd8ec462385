import type { StoredSpan } from '../stored-span.js';

/**
 * What a failure says about where to look on:
 *
 * - `refused`: nobody was there, or the name or certificate was wrong: nothing of the callee is known to have gone wrong;
 * - `broken`: the connection ended while the callee was at work;
 * - `timeout`: the caller did not wait any longer;
 * - `cut`: somebody ended it from outside, because he was cancelled himself: never a cause;
 * - `answered`: the callee said that it failed;
 * - `failed`: anything else.
 */
export type FailureClass = 'refused' | 'broken' | 'timeout' | 'cut' | 'answered' | 'failed';

const REFUSED =
  /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|\w+_CERT_\w+|DEPTH_ZERO_\w+|ERR_TLS_\w+)\b/;
const BROKEN =
  /\b(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_\w+|UND_ERR_RESPONSE\w*|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)\b/;
const TIMEOUT =
  /\b(?:TimeoutError|ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|DEADLINE_EXCEEDED|timeout)\b/i;
const CUT = /\b(?:AbortError|ABORT_ERR|UND_ERR_ABORTED|ERR_CANCELED|CANCELLED|canceled)\b/;

/** The class of a span that failed. */
export function failureClass({ error = '', status }: StoredSpan): FailureClass {
  if (CUT.test(error)) return 'cut';
  if (REFUSED.test(error)) return 'refused';
  if (BROKEN.test(error)) return 'broken';
  if (TIMEOUT.test(error)) return 'timeout';
  return status > 0 ? 'answered' : 'failed';
}
