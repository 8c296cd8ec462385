import type { Clock } from '../contracts/clock.js';
import type { LogLine, LogTap } from '../contracts/log-tap.js';
import type { LogFields, Logger } from '../contracts/logger.js';

/** The listeners of a log. */
export class LogTaps implements LogTap {
  readonly #listeners = new Set<(line: LogLine) => void>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  subscribe(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether there are listeners; without them no line object is made. */
  get areOn(): boolean {
    return this.#listeners.size > 0;
  }

  emit(level: LogLine['level'], message: string, fields: LogFields): void {
    if (this.#listeners.size === 0) return;
    const line = { time: this.clock.now(), level, message, fields };
    for (const listener of this.#listeners) listener(line);
  }
}

/** A logger whose lines are also given to listeners. */
export class TappedLogger implements Logger {
  constructor(
    private readonly inner: Logger,
    private readonly taps: LogTaps,
    private readonly fields: LogFields = {},
  ) {}

  debug(first: string | LogFields, message = ''): void {
    if (typeof first === 'string') this.inner.debug(first);
    else this.inner.debug(first, message);
  }

  info(first: string | LogFields, message = ''): void {
    this.#write('info', first, message);
  }

  warn(first: string | LogFields, message = ''): void {
    this.#write('warn', first, message);
  }

  error(first: string | LogFields, message = ''): void {
    this.#write('error', first, message);
  }

  child(fields: LogFields): TappedLogger {
    return new TappedLogger(this.inner.child(fields), this.taps, { ...this.fields, ...fields });
  }

  #write(level: LogLine['level'], first: string | LogFields, message: string): void {
    if (typeof first === 'string') {
      this.inner[level](first);
      this.taps.emit(level, first, this.fields);
    } else {
      this.inner[level](first, message);
      if (this.taps.areOn) this.taps.emit(level, message, { ...this.fields, ...first });
    }
  }
}
