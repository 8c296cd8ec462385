import { defineErrors } from '../errors/index.js';

export const LOG_ERRORS = defineErrors('kernel/log', {
  FW_LOG_LEVEL: {
    message:
      '"{given}" is no level of a log. Set FW_LOG_LEVEL, or the option level of createLogger, to one of: {known}.',
    cause:
      'The variable FW_LOG_LEVEL, or the option `level`, has a word that is no level; levels are in small letters.',
    remedy: 'Correct the word, or leave the variable out.',
    guide: 'configuration.md#logs',
  },
});
