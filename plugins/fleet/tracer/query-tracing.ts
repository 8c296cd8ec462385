import type { QueryObserver } from '../../../kernel/contracts/query-observer.js';
import type { SpanRecorder } from '../../../kernel/contracts/fleet.js';

const NANOS_PER_MS = 1e6;

/** Verb of a statement: its first word. */
const VERB = /^\s*(\w{1,16})/;

/**
 * A plugin of the ORM that records each statement as a child of the request which made it. The text has placeholders where
 * values belong; arguments are never recorded, nor is the error's message.
 *
 * @example open(handle, dialect, withPlugins(queryTracing(recorder)));
 */
export function queryTracing(recorder: SpanRecorder): QueryObserver {
  return {
    name: () => 'fleet/queries',
    afterExecute(_context: unknown, sql: string, durationNanos: bigint, error: unknown): void {
      recorder.record(undefined, {
        kind: 'query',
        name: sql,
        method: VERB.exec(sql)?.[1]?.toUpperCase() ?? 'SQL',
        durationMs: Number(durationNanos) / NANOS_PER_MS,
        ...(error !== undefined && { error: codeOf(error) }),
      });
    },
  };
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? `query failed: ${code}` : 'query failed';
}
