import type { Clock } from '../contracts/clock.js';
import type { LogLine, LogTap } from '../contracts/log-tap.js';
import type { LogFields, Logger } from '../contracts/logger.js';
import { messageOf } from '../errors/message-of.js';
import { readableFields } from './readable-fields.js';

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

  /** @param onFailure - told of what a listener throws */
  emit(level: LogLine['level'], message: string, fields: LogFields, onFailure: (error: unknown) => void): void {
    if (this.#listeners.size === 0) return;
    const line = { time: this.clock.now(), level, message, fields };
    for (const listener of this.#listeners) this.#tell(listener, line, onFailure);
  }

  // What a listener reads may throw; it gets a copy that does not then.
  #tell(listener: (line: LogLine) => void, line: LogLine, onFailure: (error: unknown) => void): void {
    try {
      return listener(line);
    } catch {
      // Told again below.
    }
    try {
      listener({ ...line, fields: readableFields(line.fields) });
    } catch (error) {
      onFailure(error);
    }
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
      this.#tap(level, first, this.fields);
    } else {
      this.inner[level](first, message);
      if (this.taps.areOn) this.#tap(level, message, this.#together(first));
    }
  }

  #tap(level: LogLine['level'], message: string, fields: LogFields): void {
    this.taps.emit(level, message, fields, (error) =>
      this.inner.error({ reason: messageOf(error) }, 'a listener of the log failed'),
    );
  }

  #together(first: LogFields): LogFields {
    try {
      return { ...this.fields, ...first };
    } catch {
      return { ...this.fields, ...readableFields(first) };
    }
  }
}
