import { type FieldProblem, FwError, type ErrorDefinition } from '../../kernel/index.js';
import { HTTP_ERRORS } from './errors.js';

/**
 * Invalid input of a request: undecodable (400, 413, 415), or not valid against the schemas of the route (422, with every field in
 * `errors`). Not to be confused with the ORM's `ValidationError`.
 */
export class BindingError extends FwError {
  /** Every invalid field; empty when the input could not be decoded at all. */
  readonly errors: readonly FieldProblem[] | undefined;
  /** RFC 9457 `title`. */
  readonly title: string | undefined;

  constructor(definition: ErrorDefinition, details: Readonly<Record<string, unknown>>, extra: BindingExtra = {}) {
    super(definition, details, { cause: extra.cause });
    this.errors = extra.errors;
    this.title = extra.errors && 'Validation Failed';
  }

  override get name(): string {
    return 'BindingError';
  }
}

interface BindingExtra {
  readonly errors?: readonly FieldProblem[];
  readonly cause?: unknown;
}

/** The error of inputs that do not fit their schemas. */
export function invalidInput(errors: readonly FieldProblem[]): BindingError {
  const inputs = errors.length === 1 ? 'One of the inputs is' : `${errors.length} of the inputs are`;
  return new BindingError(HTTP_ERRORS.FW_HTTP_INPUT_INVALID, { inputs }, { errors });
}
