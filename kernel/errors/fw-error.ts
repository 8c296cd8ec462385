import { howFwIsCalled } from '../invocation/index.js';
import type { DetailsOf, ErrorDefinition } from './error-table.js';

const BRAND = Symbol.for('fw.error');

/** Options of an {@link FwError} besides its details. */
export interface FwErrorOptions {
  /** The underlying error; logged, never sent to a client. */
  readonly cause?: unknown;
}

/**
 * An error with a stable code. Made from an entry of a table (see `defineErrors`), so that code, message and HTTP status always belong
 * together.
 *
 * @example throw new FwError(HTTP_ERRORS.FW_HTTP_PORT_IN_USE, { host, port });
 */
export class FwError extends Error {
  /** Stable, documented in `docs/reference/errors.md`. */
  readonly code: string;
  /** Sentence for clients, if the message contains something that they must not see. */
  readonly clientMessage?: string;
  /** HTTP status when this error ends a request. */
  readonly status: number;
  /** Guide, or section of one, as `fw docs` takes it; see `ErrorEntry.guide`. For people and agents at work, never for clients. */
  readonly guide?: string;
  /** The values behind the sentence, for programs. Never a secret, never a header value. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(definition: ErrorDefinition, details: Readonly<Record<string, unknown>>, options?: FwErrorOptions);
  constructor(definition: ErrorDefinition, details?: undefined, options?: FwErrorOptions);
  constructor(
    definition: ErrorDefinition,
    details: Readonly<Record<string, unknown>> = {},
    options: FwErrorOptions = {},
  ) {
    super(
      fillTemplate(definition.message, details),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = definition.code;
    this.status = definition.status ?? 500;
    this.details = details;
    if (definition.guide !== undefined) this.guide = definition.guide;
    if (definition.clientMessage !== undefined) this.clientMessage = fillTemplate(definition.clientMessage, details);
    Object.defineProperty(this, BRAND, { value: true });
  }

  override get name(): string {
    return 'FwError';
  }

  /** Whether a sentence may be shown to a client: RFC 9457 `detail` of a 4xx, never of a 5xx. */
  get expose(): boolean {
    return this.status < 500;
  }
}

/**
 * Makes an {@link FwError}; the compiler checks that every placeholder of the message has a value.
 *
 * @param definition - entry of an error table
 * @param details - a value per placeholder, and further values for programs
 */
export function fwError<Message extends string>(
  definition: ErrorDefinition<Message>,
  details: DetailsOf<Message>,
  options?: FwErrorOptions,
): FwError {
  return new FwError(definition, details, options);
}

/** True for an `FwError` of any copy of the package, so that a duplicate install does not break `catch` blocks. */
export function isFwError(error: unknown): error is FwError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true;
}

function fillTemplate(template: string, details: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name in details) return inWords(details[name]);
    return name === 'fw' ? howFwIsCalled() : whole;
  });
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
}
