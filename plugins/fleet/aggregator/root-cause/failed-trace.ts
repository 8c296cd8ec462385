import type { SpanTree } from '../span-tree.js';
import type { StoredSpan } from '../stored-span.js';
import { failureClass } from './failure-class.js';
import { isLeft, rootCauseOf } from './root-cause.js';

/** Kinds of spans that are done by somebody else for the service that has them. */
const CALLS: ReadonlySet<StoredSpan['kind']> = new Set(['client', 'query', 'producer']);

/**
 * Whether a trace counts as failed: a failure in it needs a cause. A call that its own caller called off is none, such as the slower of two
 * hedged requests, nor is what ended with that call.
 *
 * @param tree - the spans as a tree; only asked for where one was cut off
 */
export function hasFailed(spans: readonly StoredSpan[], tree: () => SpanTree): boolean {
  if (!spans.some(({ failed }) => failed)) return false;
  if (!spans.some((span) => isLeft(span))) return true;
  const built = tree();
  return rootCauseOf(built) !== undefined || built.nodes.some(({ span, orphan }) => !orphan && isFailedWork(span));
}

/** Whether a span is a call that was cut off by whoever made it. */
export function isCalledOff(span: StoredSpan): boolean {
  return span.failed && CALLS.has(span.kind) && failureClass(span) === 'cut';
}

/** Whether a service began something by itself: a message that it took, or a job without a request above it. */
export function isOwnWork({ kind, parentId }: StoredSpan): boolean {
  return kind === 'consumer' || (parentId === undefined && kind !== 'server' && kind !== 'event');
}

/** Whether a message or a job failed. One that was cut off has failed as well: nobody above it went on without it. */
export function isFailedWork(span: StoredSpan): boolean {
  return span.failed && isOwnWork(span) && !isCalledOff(span);
}
