import {
  currentRequestContext,
  fwError,
  type HttpContext,
  isFwError,
  noteCause,
  type Problem,
  PROBLEM_MEDIA_TYPE,
  statusOf,
  toldOf,
  toProblem,
} from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';
import { restoreHeaders, wasMarked } from './header-mark.js';
import { shownPath } from './request-target.js';

// Headers that describe the body that the error replaces.
const BODY_HEADERS = ['Content-Encoding', 'Content-Length', 'Content-Range', 'ETag', 'Last-Modified'] as const;

// Codes of Node's errors for a head that HTTP does not allow.
const HEAD_ERRORS = new Set([
  'ERR_HTTP2_INFO_STATUS_NOT_ALLOWED',
  'ERR_HTTP2_STATUS_INVALID',
  'ERR_HTTP_INVALID_HEADER_VALUE',
  'ERR_HTTP_INVALID_STATUS_CODE',
  'ERR_HTTP_TRAILER_INVALID',
  'ERR_INVALID_CHAR',
  'ERR_INVALID_HTTP_TOKEN',
]);

/**
 * Whether an error is meant for the client: it has a status. Any other error is a defect of the program, which the recovery middleware
 * counts as a panic.
 */
export function isMeantForClient(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== 500) return true;
  return (
    !isFwError(error) && typeof error === 'object' && error !== null && ('status' in error || 'statusCode' in error)
  );
}

/** Errors that were logged by whoever answered them, by request; a request may have others after that. */
const logged = new WeakMap<HttpContext, unknown>();

/** Whether an error of a request was logged by whoever answered it. */
export const isLogged = (context: HttpContext, error: unknown): boolean =>
  logged.has(context) && logged.get(context) === error;

/**
 * Reports an error that a middleware answers to the listeners for errors of the application, such as error trackers
 * (https://github.com/koajs/koa/blob/master/docs/error-handling.md). What a listener throws becomes a process warning.
 */
export const announceError = toldOf(
  'error listener of the application',
  (context: HttpContext, error: unknown, wasLogged: boolean): void => {
    const { app } = context;
    if (wasLogged) logged.set(context, error);
    // Koa's own listener prints the error, which nobody needs where a middleware answers it.
    if (app.listeners('error').every((listener) => listener === app.onerror)) return;
    app.emit('error', error, context);
  },
);

/** Reports an error that is meant for the client, and answers with it. */
export function answerProblem(context: HttpContext, error: unknown): void {
  context.app.emit('error', error, context);
  writeProblem(context, error);
}

/**
 * Writes an error as problem+json (RFC 9457) and keeps the headers of middlewares, but not those that the handler set for its response. The
 * only place that renders errors.
 */
export function writeProblem(context: HttpContext, error: unknown): void {
  noteCause(context, error);
  const shown = named(context, error);
  const instance = shownPath(context);
  const problem = toProblem(shown, { instance, traceId: currentRequestContext()?.traceId });
  restoreHeaders(context.res);
  for (const name of BODY_HEADERS) context.remove(name);
  if (!wasMarked(context.res)) forbidCaching(context);
  copyHeaders(context, error);
  // The unread rest of a body would otherwise be taken for the next request.
  const isHalfRead = context.req.destroyed && !context.req.complete;
  if (problem.status === 413 || problem.status === 408 || isHalfRead) context.set('Connection', 'close');
  const text = JSON.stringify(problem);
  context.status = problem.status;
  (context as Told)[WRITTEN] = { text, problem };
  context.set('Content-Type', PROBLEM_MEDIA_TYPE);
  context.body = text;
}

const WRITTEN = Symbol('fw.http.problem');

/** A context whose response is, or was, a problem. */
type Told = HttpContext & { [WRITTEN]?: { readonly text: string; readonly problem: Problem } };

/**
 * Writes a problem anew when a middleware has given the response another error status since, as routers of npm do for methods: status and
 * `status` are one (RFC 9457, section 3.1.2), and what the first problem said was about the other one.
 */
export function followStatus(context: HttpContext): void {
  const { res } = context;
  const { text, problem } = (context as Told)[WRITTEN] ?? {};
  if (problem === undefined || res.statusCode === problem.status || context.body !== text) return;
  const { instance, traceId } = problem;
  const next = toProblem({ status: res.statusCode }, { instance, traceId });
  const written = JSON.stringify(next);
  (context as Told)[WRITTEN] = { text: written, problem: next };
  context.body = written;
}

/**
 * Removes the media type of a problem when a text replaces it that is no object of JSON, as a problem is (RFC 9457, section 3): the page of a
 * middleware for 404, or the empty answer of a router to OPTIONS. Bytes and streams keep it, because they may be the problem, compressed.
 *
 * @param before - the body so far
 * @param body - the one that takes its place
 */
export function forgetProblemType(context: HttpContext, before: unknown, body: unknown): void {
  if (typeof body !== 'string' || body.trimStart().startsWith('{')) return;
  if (before !== (context as Told)[WRITTEN]?.text) return;
  if (context.response.get('Content-Type') === PROBLEM_MEDIA_TYPE) context.remove('Content-Type');
}

function named({ method, path, route }: HttpContext, error: unknown): unknown {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code !== 'string' || !HEAD_ERRORS.has(code)) return error;
  const details = { method, path: route?.path ?? path, reason: String(message) };
  return fwError(HTTP_ERRORS.FW_HTTP_HEAD_INVALID, details, { cause: error });
}

// In a plain Koa application, headers of a middleware cannot be told from a handler's.
function forbidCaching(context: HttpContext): void {
  const current = context.response.get('Cache-Control');
  if (current !== '' && !/\bno-store\b/i.test(current)) context.remove('Cache-Control');
  context.remove('Expires');
}

// Errors of the http-errors family carry headers for their response.
function copyHeaders(context: HttpContext, error: unknown): void {
  const headers = (error as { headers?: Readonly<Record<string, unknown>> } | null | undefined)?.headers;
  if (typeof headers !== 'object' || headers === null) return;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === null || /^(?:content-(?:type|length)|transfer-encoding|trailer)$/i.test(name))
      continue;
    context.set(name, Array.isArray(value) ? value.map(String) : String(value as string));
  }
}
