import type { Clock } from '../../../kernel/index.js';
import type { ToolCall, ToolCallObserver } from '../../../kernel/contracts/tool-calls.js';
import type { ToolCallRecord, ToolStatistics } from '../wire/api.js';
import { roundedMs } from './latencies.js';
import { BoundedMap, Ring } from '../../../kernel/bounded/index.js';

const MAX_CALLS = 500;
const MAX_TOOLS = 200;
/** Longest kept name, because callers choose names freely. */
const MAX_NAME = 100;
const MAX_ARGUMENTS = 20;

interface Totals {
  readonly tool: string;
  calls: number;
  failed: number;
  refused: number;
  totalMs: number;
  maxMs: number;
  lastAt: number;
}

/** Records which tools agents called, when, the duration and the outcome; never the values of arguments. */
export class ToolCallRecorder implements ToolCallObserver {
  readonly calls = new Ring<ToolCallRecord>(MAX_CALLS);
  /** Told about every call. */
  onRecord: (record: ToolCallRecord) => void = () => undefined;
  readonly #tools = new BoundedMap<string, Totals>(MAX_TOOLS);
  #count = 0;

  constructor(private readonly clock: Clock) {}

  observe({ tool, outcome, durationMs, argumentNames, requires }: ToolCall): void {
    this.#count++;
    const record: ToolCallRecord = {
      id: String(this.#count),
      time: new Date(this.clock.now() - durationMs).toISOString(),
      tool: tool.slice(0, MAX_NAME),
      outcome,
      duration_ms: roundedMs(durationMs),
      argument_names: argumentNames.slice(0, MAX_ARGUMENTS).map((name) => name.slice(0, MAX_NAME)),
      ...(requires !== undefined && { requires }),
    };
    this.calls.push(record);
    if (outcome !== 'unknown') this.#add(record);
    this.onRecord(record);
  }

  /** Every tool that was called, the busiest first. */
  tools(): ToolStatistics[] {
    return this.#tools
      .values()
      .sort((one, other) => other.calls - one.calls)
      .map(({ tool, calls, failed, refused, totalMs, maxMs, lastAt }) => ({
        tool,
        calls,
        failed,
        refused,
        avg_ms: roundedMs(totalMs / Math.max(1, calls - refused)),
        max_ms: roundedMs(maxMs),
        last_seen: new Date(lastAt).toISOString(),
      }));
  }

  #add({ tool, outcome, duration_ms: ms }: ToolCallRecord): void {
    const totals = this.#tools.use(tool, () => {
      return { tool, calls: 0, failed: 0, refused: 0, totalMs: 0, maxMs: 0, lastAt: 0 };
    });
    totals.calls++;
    if (outcome === 'refused') totals.refused++;
    else if (outcome !== 'ok') totals.failed++;
    totals.totalMs += ms;
    totals.maxMs = Math.max(totals.maxMs, ms);
    totals.lastAt = this.clock.now();
  }
}
