import { token } from '../container/token.js';

/** Values that go with a log line. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes structured lines. Pino satisfies this interface, and so does any logger that takes `(fields, message)`. */
export interface Logger {
  debug(message: string): void;
  debug(fields: LogFields, message: string): void;
  info(message: string): void;
  info(fields: LogFields, message: string): void;
  warn(message: string): void;
  warn(fields: LogFields, message: string): void;
  error(message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger that adds fields to each of its lines. */
  child(fields: LogFields): Logger;
}

export const Logger = token<Logger>('fw.Logger');
