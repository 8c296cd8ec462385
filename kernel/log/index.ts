export { copiedText, cutText } from './cut-text.js';
export { createLogger, type LoggerOptions } from './create-logger.js';
export { maskSecrets } from './mask-secrets.js';
export { LogTaps, TappedLogger } from './tapped-logger.js';
