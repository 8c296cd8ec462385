import { BindingError } from './binding-error.js';
import { HTTP_ERRORS } from './errors.js';
import type { InputBounds } from './input-bounds.js';

/** How the body of a route is read. */
export interface BodyRules extends Partial<InputBounds> {
  /** Largest size in bytes. */
  readonly limit: number;
  /** How long it may take to arrive, in milliseconds; 0 for no end, which is the default. */
  readonly timeLimit?: number;
  /** Where uploaded files are kept; default the temporary folder of the system. */
  readonly uploadFolder?: string | undefined;
  /** Whether the body has files, so that it has to be `multipart/form-data`. */
  readonly takesFiles?: boolean;
  /** Whether a member `constructor` is data, because the schema declares one. It is dropped otherwise. */
  readonly keepsConstructor?: boolean;
}

/** The error for a body that takes too long to arrive. */
export function tooSlow(limit: number): BindingError {
  return new BindingError(HTTP_ERRORS.FW_HTTP_REQUEST_TIMEOUT, { limit });
}

/** The error of a body that does not fit its type. */
export function malformed(type: string, problem: string, cause?: unknown): BindingError {
  return new BindingError(HTTP_ERRORS.FW_HTTP_BODY_MALFORMED, { type, problem }, { cause });
}
