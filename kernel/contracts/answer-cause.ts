const causes = new WeakMap<object, unknown>();

/**
 * Remembers the error behind an error response, for plugins that record requests. It is never part of a response.
 *
 * @param context - the request's context
 */
export function noteCause(context: object, error: unknown): void {
  causes.set(context, error);
}

/** The error that {@link noteCause} remembered for a request; undefined when there was none. */
export function causeOf(context: object): unknown {
  return causes.get(context);
}
