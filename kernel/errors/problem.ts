import { STATUS_CODES } from 'node:http';
import { isFwError } from './fw-error.js';
import { isError } from './message-of.js';

/** Media type of {@link Problem} bodies (RFC 9457, section 3). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** One invalid input of a request. */
export interface FieldProblem {
  /** Where the field was read: body, query, params or header. */
  readonly in: 'body' | 'query' | 'params' | 'header';
  /** Name on the wire; nested fields as `lines.0.quantity`; empty for the whole input. */
  readonly field: string;
  /** The JSON Schema keyword or rule that failed, e.g. `required`, `minLength`. */
  readonly rule: string;
  /** A sentence for a person. */
  readonly message: string;
}

/** Problem details object (RFC 9457, section 3.1) with the members that fw adds. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  /** Path of the request that failed. */
  readonly instance?: string;
  /** Stable error code, see `docs/reference/errors.md`. */
  readonly code?: string;
  /** Every invalid field, for 422. */
  readonly errors?: readonly FieldProblem[];
  /** Trace id of the request when it is traced. */
  readonly traceId?: string;
}

/** Facts about the request that a problem includes. */
export interface ProblemContext {
  readonly instance?: string | undefined;
  readonly traceId?: string | undefined;
}

interface HttpShaped {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly expose?: unknown;
  readonly message?: unknown;
  readonly clientMessage?: unknown;
  readonly title?: unknown;
  readonly errors?: unknown;
}

/**
 * Status that an error means for a client: its own `status` (or `statusCode`, as `http-errors` and Koa use) when it is one
 * from 400 to 599, else 500.
 */
export function statusOf(error: unknown): number {
  const { status, statusCode } = shapeOf(error);
  const claimed = typeof status === 'number' ? status : statusCode;
  return typeof claimed === 'number' && Number.isInteger(claimed) && claimed >= 400 && claimed <= 599 ? claimed : 500;
}

/**
 * The one renderer of error bodies (RFC 9457). The text of an error is shown only when the error says that it may be
 * (`expose`, as errors of fw and of `ctx.throw` do below 500), and so are its invalid fields; causes are never shown.
 */
export function toProblem(error: unknown, context: ProblemContext = {}): Problem {
  const status = statusOf(error);
  const shape = shapeOf(error);
  const title = typeof shape.title === 'string' ? shape.title : (STATUS_CODES[status] ?? 'Error');
  const detail = exposedText(shape);
  return {
    type: 'about:blank',
    title,
    status,
    ...(detail !== undefined && detail !== title && { detail }),
    ...(context.instance !== undefined && { instance: context.instance }),
    ...(isFwError(error) && { code: error.code }),
    ...(hasFieldProblems(shape) && { errors: shape.errors }),
    ...(context.traceId !== undefined && { traceId: context.traceId }),
  };
}

function shapeOf(error: unknown): HttpShaped {
  return typeof error === 'object' && error !== null ? (error as HttpShaped) : {};
}

function exposedText(shape: HttpShaped): string | undefined {
  const text = shape.clientMessage ?? shape.message;
  return isExposed(shape) && typeof text === 'string' && text !== '' ? text : undefined;
}

// As in Koa: an error with a status may come from a client of another service, with what that one said.
const isExposed = ({ expose }: HttpShaped): boolean => expose === true;

// An AggregateError has other errors there, with what they know of addresses, statements and requests.
function hasFieldProblems(shape: HttpShaped): shape is HttpShaped & { readonly errors: readonly FieldProblem[] } {
  const { errors } = shape;
  return Array.isArray(errors) && isExposed(shape) && !errors.some(isError);
}
