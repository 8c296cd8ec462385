import type { StoredSpan } from './stored-span.js';

/**
 * Whether a span answers a call of another service although it does not say that it is a request. Whoever begins a span by hand in a handler
 * often gives it no kind, for which OpenTelemetry takes `internal`; a proxy beside a service says only whom it calls itself.
 */
export function isUndeclaredAnswer(call: StoredSpan, { kind, service }: StoredSpan): boolean {
  return (
    call.kind === 'client' && (kind === 'internal' || kind === 'client') && service !== call.service && service !== ''
  );
}
