import { boot } from '../boot.js';

/** An error response. */
export class ApiError extends Error {
  /** @param status - 0 when the application could not be reached */
  constructor(
    readonly status: number,
    message: string,
    readonly body?: unknown,
  ) {
    super(message);
  }
}

/** What {@link fetchJson} sends. */
interface JsonRequest {
  /** Default GET. */
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches JSON from the dashboard's own origin. A session that has ended leads to the login page.
 *
 * @param path - path on this origin, or relative to `{base}/api/`: `requests?limit=5`
 * @throws ApiError for any answer other than 2xx, and when there is none
 */
export async function fetchJson<Answer>(
  path: string,
  { method = 'GET', body, signal }: JsonRequest = {},
): Promise<Answer> {
  const url = path.startsWith('/') ? path : `${boot.basePath}/api/${path}`;
  const { response, text } = await send(url, {
    method,
    headers: {
      Accept: 'application/json',
      ...(method !== 'GET' && { 'X-FW-CSRF': boot.csrf }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    credentials: 'same-origin',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const answer = jsonOf(text);
  if (response.ok) return answer as Answer;
  if (response.status === 401 && boot.login) toLogin();
  throw new ApiError(response.status, messageOf(answer) ?? `The server answered ${response.status}.`, answer);
}

// The connection may also be lost while the body comes.
async function send(url: string, init: RequestInit): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(url, init);
    return { response, text: await response.text() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The application does not answer. It may be restarting.');
  }
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}

function messageOf(answer: unknown): string | undefined {
  const { error, detail, title } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  return [error, detail, title].find((each): each is string => typeof each === 'string');
}

/** Set once the browser goes to the login page: a page makes several requests at once, and all are refused. */
let isLeaving = false;
// The browser may restore the page from its back/forward cache.
addEventListener('pageshow', () => (isLeaving = false));

function toLogin(): void {
  if (isLeaving) return;
  isLeaving = true;
  const next = encodeURIComponent(location.pathname + location.search);
  location.assign(`${boot.basePath}/login?next=${next}`);
}
