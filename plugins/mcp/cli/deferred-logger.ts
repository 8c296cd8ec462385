import type { LogFields, Logger } from '../../../kernel/index.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A logger that is loaded with the first line; lines keep their order. */
export class DeferredLogger implements Logger {
  #made: Promise<Logger> | undefined;

  constructor(private readonly make: () => Promise<Logger>) {}

  debug(...line: [string] | [LogFields, string]): void {
    this.#write('debug', line);
  }

  info(...line: [string] | [LogFields, string]): void {
    this.#write('info', line);
  }

  warn(...line: [string] | [LogFields, string]): void {
    this.#write('warn', line);
  }

  error(...line: [string] | [LogFields, string]): void {
    this.#write('error', line);
  }

  child(fields: LogFields): Logger {
    return new DeferredLogger(async () => (await this.#logger()).child(fields));
  }

  /** Settles when every line so far is written. */
  async flushed(): Promise<void> {
    await this.#made;
  }

  #logger(): Promise<Logger> {
    return (this.#made ??= this.make());
  }

  #write(level: Level, line: [string] | [LogFields, string]): void {
    void this.#logger().then((logger) => logger[level](...(line as [LogFields, string])));
  }
}
