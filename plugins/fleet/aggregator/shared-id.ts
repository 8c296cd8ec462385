import type { StoredSpan } from './stored-span.js';

// Zipkin's instrumentations, and proxies that speak its protocol, give both sides of a call one span id, and a collector passes them on so
// (https://github.com/openzipkin/b3-propagation). A trace has every id once, so the request gets an id of its own, below the call.

// The same each time, so that a span that comes twice is recognised.
function ownId(spanId: string): string {
  const first = Number.parseInt(spanId.charAt(0), 16) ^ 0x8;
  return first.toString(16) + spanId.slice(1);
}

/** Whether a request and a call are the two sides of one, with one id. */
export function shareId(request: StoredSpan, call: StoredSpan): boolean {
  return request.kind === 'server' && call.kind === 'client' && request.spanId === call.spanId;
}

/** A request that shares the id of its call, with its own. */
export function withOwnId(request: StoredSpan): StoredSpan {
  return request.placed(ownId(request.spanId), request.spanId);
}

/**
 * The span that another one is below: of two sides that shared an id the one of its own service.
 *
 * @param find - finds a span of the trace
 * @returns undefined without a parent, and as long as it is not there
 */
export function parentOf(span: StoredSpan, find: (spanId: string) => StoredSpan | undefined): StoredSpan | undefined {
  const { parentId, spanId, service } = span;
  const parent = parentId === undefined || parentId === spanId ? undefined : find(parentId);
  if (parent?.kind !== 'client' || parent.service === service) return parent;
  const request = find(ownId(parent.spanId));
  return request !== span && request?.service === service ? request : parent;
}
