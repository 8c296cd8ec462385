import type { Confirmation } from '../../../kernel/index.js';
import type { LogLevel } from '../session/log-level.js';

/** The client's side of one tool call. */
export interface Caller {
  readonly signal: AbortSignal;
  progress(done: number, total: number | undefined, message: string): void;
  /** Sends a log message to the client, if it wants messages of that level. */
  log(level: LogLevel, logger: string, message: string): void;
  /** Asks the person behind the client. */
  confirm(question: string): Promise<Confirmation>;
}
