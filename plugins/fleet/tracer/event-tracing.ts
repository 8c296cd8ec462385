import type { EventBus } from '../../../kernel/contracts/events.js';
import type { SpanRecorder } from '../../../kernel/contracts/fleet.js';

/**
 * Records the handling of each event as a child of the request that emitted it.
 * @returns ends it
 */
export function traceEvents(bus: Pick<EventBus, 'observe'>, recorder: SpanRecorder): () => void {
  return bus.observe(({ name, durationMs, errors }) =>
    recorder.record(undefined, {
      kind: 'event',
      name,
      method: 'HANDLE',
      durationMs,
      ...(errors.length > 0 && { error: `${errors.length} of its listeners failed` }),
    }),
  );
}
