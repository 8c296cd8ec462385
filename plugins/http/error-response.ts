import {
  currentRequestContext,
  type HttpContext,
  isFwError,
  PROBLEM_MEDIA_TYPE,
  statusOf,
  toProblem,
} from '../../kernel/index.js';
import { pathOfTarget } from './request-path.js';

// They describe the body that the error replaces.
const BODY_HEADERS = ['Content-Encoding', 'Content-Length', 'Content-Range', 'ETag', 'Last-Modified'] as const;

/**
 * Whether an error was meant for the client: it says which status it means. Anything else is a defect of the program, and
 * what the recovery middleware counts as a panic.
 */
export function isMeantForClient(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== 500) return true;
  return (
    !isFwError(error) && typeof error === 'object' && error !== null && ('status' in error || 'statusCode' in error)
  );
}

/**
 * Writes an error as problem+json (RFC 9457) and keeps the headers that middlewares have set. The only place that renders
 * errors.
 */
export function writeProblem(context: HttpContext, error: unknown): void {
  const instance = pathOfTarget(context.req.url as string);
  const problem = toProblem(error, { instance, traceId: currentRequestContext()?.traceId });
  for (const name of BODY_HEADERS) context.remove(name);
  copyHeaders(context, error);
  // What is left of a body that nobody will read would otherwise be taken for the next request.
  const isHalfRead = context.req.destroyed && !context.req.complete;
  if (problem.status === 413 || isHalfRead) context.set('Connection', 'close');
  context.status = problem.status;
  context.set('Content-Type', PROBLEM_MEDIA_TYPE);
  context.body = JSON.stringify(problem);
}

// Errors of the http-errors family carry headers for their response.
function copyHeaders(context: HttpContext, error: unknown): void {
  const headers = (error as { headers?: Readonly<Record<string, string>> } | null | undefined)?.headers;
  if (typeof headers !== 'object' || headers === null) return;
  for (const [name, value] of Object.entries(headers)) {
    if (!/^content-(type|length)$/i.test(name)) context.set(name, value);
  }
}
