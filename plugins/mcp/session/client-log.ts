import type { LogFields, Logger } from '../../../kernel/index.js';
import type { LogLevel } from './log-level.js';

/** Sends a log message to a client. */
export type Tell = (level: LogLevel, message: string) => void;

/**
 * A log that also sends its messages to a client (MCP 2024-11-05 "Logging"). Only the message texts are sent, which are fixed in the code;
 * fields may contain values of a project or of a request.
 */
export function heardBy(tell: Tell, log: Logger): Logger {
  const both = (level: 'debug' | 'info' | 'warn' | 'error', heard: LogLevel) => {
    return (first: string | LogFields, message?: string): void => {
      if (typeof first === 'string') log[level](first);
      else log[level](first, message ?? '');
      tell(heard, typeof first === 'string' ? first : (message ?? ''));
    };
  };
  return {
    debug: both('debug', 'debug'),
    info: both('info', 'info'),
    warn: both('warn', 'warning'),
    error: both('error', 'error'),
    child: (fields) => heardBy(tell, log.child(fields)),
  };
}
