import { currentRequestContext } from '../../../kernel/index.js';
import { Ring } from '../../../kernel/bounded/index.js';
import { cutText, maskSecrets } from '../../../kernel/log/index.js';
import type { LogLine, LogTap } from '../../../kernel/contracts/log-tap.js';
import { REDACTED } from '../recorded/index.js';
import { epochMs, microsecondsText } from './trace-clock.js';

/** Lines that are kept, and characters of one. */
const MAX_LINES = 2_000;
const MAX_MESSAGE = 2_048;

/** Names of levels as the merged view knows them. */
const LEVELS: Readonly<Record<LogLine['level'], string>> = { info: 'app', warn: 'warning', error: 'error' };

/** A line as the log endpoint gives it. */
interface StoredLine {
  /** RFC 3339 with microseconds, by the clock of the spans: lines of several services are merged by it. */
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly source?: string;
  readonly trace_id: string;
}

/** Keeps the last lines that were written inside traced requests, for the merged view; older ones are forgotten. */
export class LogStore {
  readonly #lines = new Ring<StoredLine>(MAX_LINES);

  /** Subscribes to the log. Lines outside a traced request are not kept. */
  follow(taps: LogTap): void {
    taps.subscribe((line) => this.add(line, currentRequestContext()?.traceId));
  }

  add({ level, message, fields }: LogLine, traceId: string | undefined): void {
    if (traceId === undefined) return;
    const { plugin } = fields;
    this.#lines.push({
      time: microsecondsText(epochMs()),
      level: LEVELS[level],
      message: maskSecrets(cutText(message, MAX_MESSAGE), REDACTED),
      ...(typeof plugin === 'string' && { source: plugin }),
      trace_id: traceId,
    });
  }

  /** Lines of a trace, oldest first. */
  of(traceId: string): readonly StoredLine[] {
    return this.#lines.newest(MAX_LINES, (line) => line.trace_id === traceId).reverse();
  }

  stats() {
    return { lines: this.#lines.size, max_lines: MAX_LINES, dropped: this.#lines.dropped };
  }
}
