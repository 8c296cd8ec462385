import { token } from '../container/token.js';
import type { LogFields } from './logger.js';

/** A line that the application's logger wrote. */
export interface LogLine {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  /** Fields of the line and of the child loggers it came through, `plugin` among them. */
  readonly fields: LogFields;
}

/** Lets a plugin read along with the application's log. Lines below `info` are left out. */
export interface LogTap {
  /**
   * Hands every further line to a listener, which must be quick and not throw.
   * @returns ends the subscription
   */
  subscribe(listener: (line: LogLine) => void): () => void;
}

export const LogTap = token<LogTap>('fw.LogTap');
