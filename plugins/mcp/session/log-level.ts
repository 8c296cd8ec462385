/** Levels of log messages, least important first (MCP 2024-11-05 "Logging", from RFC 5424, section 6.2.1). */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How important a log message is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether a text is a level. */
export function isLogLevel(given: unknown): given is LogLevel {
  return LOG_LEVELS.includes(given as LogLevel);
}

/** Whether a message is at least as important as a client wants it to be. */
export function isAtLeast(level: LogLevel, wanted: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted);
}
