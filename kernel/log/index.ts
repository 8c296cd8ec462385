export { createLogger, type LoggerOptions } from './create-logger.js';
export { LogTaps, TappedLogger } from './tapped-logger.js';
