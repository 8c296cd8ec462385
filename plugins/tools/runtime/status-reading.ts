import { TRACE_ID } from '../../../kernel/contracts/fleet.js';

/** An answer to a simulated request. */
export interface Answer {
  readonly given: { readonly body?: string };
  readonly method: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly bytes: number;
  /** Parsed body, when it is JSON. */
  readonly json: unknown;
  /** The cause of a failure, if known. */
  readonly cause: object | undefined;
  /** Whether it was said already why the cause is not known. */
  readonly isExplained: boolean;
}

/** One word for what a status says about routing. */
export function readingOf(status: number): string {
  if (status === 404) return 'not-found';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 405) return 'wrong-method';
  if (status >= 500) return 'server-error';
  if (status >= 400) return 'rejected';
  if (status >= 300) return 'redirect';
  return status >= 200 ? 'routed' : 'informational';
}

const STATUS_NOTES: Readonly<Record<string, string>> = {
  'not-found': 'No route matched, or the handler found nothing. fw_get_routes lists the routes.',
  unauthorized:
    'The route exists but wants credentials: pass username and password, or token: what the login route of the app answers, or generateJWT of fw/middleware/jwt signs with its secret (AccessSecret).',
  'wrong-method': 'The path exists for other methods; see the Allow header.',
  'server-error': 'The handler failed. fw_get_recent_errors and fw_get_logs (level error) say more.',
  redirect: 'Redirects are not followed; the Location header names the target.',
};

/** Notes for an agent about the interpretation of an answer. */
export function notesOn(answer: Answer): string[] {
  const { given, method, status, contentType, bytes, json, cause, isExplained } = answer;
  const byStatus = cause || (status >= 500 && isExplained) ? undefined : STATUS_NOTES[readingOf(status)];
  return [
    ...(byStatus === undefined ? [] : [byStatus]),
    ...(status >= 500 ? acrossServices(json) : []),
    ...(status === 400 || status === 422 ? ['The input was refused; the body says which field and why.'] : []),
    ...(/[/+]json\b/i.test(contentType ?? '') && bytes > 0 && json === undefined
      ? ['The content type says JSON, but the body does not parse (or was cut off).']
      : []),
    ...(bytes > 0 && contentType === undefined ? ['The answer has a body but no content type.'] : []),
    ...(method === 'HEAD' && given.body !== undefined ? ['A body on HEAD has no meaning.'] : []),
  ];
}

// The id is text of the service.
function acrossServices(json: unknown): string[] {
  const id = typeof json === 'object' && json !== null && 'traceId' in json ? json.traceId : undefined;
  if (typeof id !== 'string' || !TRACE_ID.test(id)) return [];
  return [`If it called another service, fw_explain_incident with trace_id ${id} names the one that failed first.`];
}
