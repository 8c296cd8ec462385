import type { CallerCount } from '../../../kernel/contracts/fleet-wire.js';
import { copiedText } from '../../../kernel/log/index.js';
import { LogHistogram } from './log-histogram.js';

/** Callers of which one heartbeat tells. */
export const MAX_CALLERS = 64;

/** Longest name of a caller, in characters. */
export const MAX_CALLER_NAME = 128;

interface Counted {
  readonly durations: LogHistogram;
  errors: number;
}

/** Counts requests by the service that made them, for a heartbeat. */
export class CallerCounts {
  /** By name, percent-encoded as in the header. */
  #callers: Map<string, Counted> | undefined = new Map();

  /**
   * Counts a request.
   * @param name - as its `x-fw-service` header gives it
   */
  add(name: string, failed: boolean, durationMs: number): void {
    const counted = this.#counted(name);
    if (counted === undefined) return;
    counted.durations.add(durationMs);
    if (failed) counted.errors++;
  }

  merge(other: CallerCounts): void {
    if (other.#callers === undefined) this.#callers = undefined;
    for (const [name, { durations, errors }] of other.#callers ?? []) {
      const counted = this.#counted(name);
      counted?.durations.merge(durations);
      if (counted) counted.errors += errors;
    }
  }

  /** What was counted; undefined when there were more callers than a heartbeat tells of, because some would pass for all. */
  list(): readonly CallerCount[] | undefined {
    return (
      this.#callers &&
      [...this.#callers].map(([name, { durations, errors }]) => ({
        service: decoded(name),
        durations: durations.pairs(),
        errors,
      }))
    );
  }

  #counted(name: string): Counted | undefined {
    const known = this.#callers?.get(name);
    if (known !== undefined || this.#callers === undefined) return known;
    const counted = { durations: new LogHistogram(), errors: 0 };
    if (this.#callers.size < MAX_CALLERS) this.#callers.set(copiedText(name, MAX_CALLER_NAME), counted);
    else this.#callers = undefined;
    return counted;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Not one of ours has written it; it names no service.
    return name;
  }
}
