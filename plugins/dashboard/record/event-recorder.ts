import type { DispatchRecord } from '../../../kernel/index.js';
import { maskSecrets } from '../../../kernel/log/index.js';
import type { EventRecord, EventStatistics } from '../wire/api.js';
import { BoundedMap } from '../../../kernel/bounded/index.js';
import { roundedMs } from './latencies.js';
import type { Timelines } from './timelines.js';

const MAX_NAMES = 300;
const MAX_ERROR = 500;

interface Totals {
  readonly name: string;
  count: number;
  failed: number;
  totalMs: number;
  maxMs: number;
  lastAt: number;
}

/** Counts the dispatches of the application's event bus by name. Payloads are left alone. */
export class EventRecorder {
  /** Told about every dispatch. */
  onRecord: (record: EventRecord) => void = () => undefined;
  readonly #names = new BoundedMap<string, Totals>(MAX_NAMES);

  constructor(private readonly timelines: Timelines) {}

  take(dispatch: DispatchRecord): void {
    const { name, at, durationMs, errors } = dispatch;
    const totals = this.#names.use(name, () => ({ name, count: 0, failed: 0, totalMs: 0, maxMs: 0, lastAt: 0 }));
    totals.count++;
    if (errors.length > 0) totals.failed++;
    totals.totalMs += durationMs;
    totals.maxMs = Math.max(totals.maxMs, durationMs);
    totals.lastAt = at;
    this.timelines.note({ kind: 'event', name, duration_ms: durationMs, failed: errors.length > 0 });
    this.onRecord(eventRecordOf(dispatch));
  }

  /** Every event, the busiest first. */
  names(): EventStatistics[] {
    return this.#names
      .values()
      .sort((one, other) => other.count - one.count)
      .map(({ name, count, failed, totalMs, maxMs, lastAt }) => ({
        name,
        count,
        failed,
        avg_ms: roundedMs(totalMs / count),
        max_ms: roundedMs(maxMs),
        last_seen: new Date(lastAt).toISOString(),
      }));
  }
}

/** A dispatch as it is shown. */
export function eventRecordOf(dispatch: DispatchRecord): EventRecord {
  const { name, at, durationMs, called, async, stopped, errors } = dispatch;
  return {
    time: new Date(at).toISOString(),
    name,
    duration_ms: roundedMs(durationMs),
    listeners: called,
    async,
    stopped,
    failed: errors.length > 0,
    errors: errors.map((error) => maskSecrets(error).slice(0, MAX_ERROR)),
  };
}
