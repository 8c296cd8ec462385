import type { LogFields, Logger } from '../contracts/index.js';

/** A line that was logged. */
export interface RecordedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** A logger that keeps its lines for a test to read. */
export class RecordingLogger implements Logger {
  /** @param onLine - gets each line as it is logged */
  constructor(
    readonly lines: RecordedLine[] = [],
    private readonly fields: LogFields = {},
    private readonly onLine?: (line: RecordedLine) => void,
  ) {}

  debug = this.#writer('debug');
  info = this.#writer('info');
  warn = this.#writer('warn');
  error = this.#writer('error');

  child(fields: LogFields): RecordingLogger {
    return new RecordingLogger(this.lines, { ...this.fields, ...fields }, this.onLine);
  }

  /** Messages of one level, in order. */
  messages(level: RecordedLine['level']): readonly string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message);
  }

  #writer(level: RecordedLine['level']) {
    return (first: string | LogFields, message?: string): void => {
      const fields = typeof first === 'string' ? this.fields : { ...this.fields, ...first };
      const line = { level, fields, message: typeof first === 'string' ? first : (message ?? '') };
      this.lines.push(line);
      this.onLine?.(line);
    };
  }
}
