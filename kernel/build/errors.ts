import { defineErrors } from '../errors/index.js';

export const BUILD_ERRORS = defineErrors('kernel/build', {
  FW_BUILD_FAILED: {
    message: 'The application does not build.\n{problems}',
    cause: 'A file that app.config.ts reaches does not parse, or imports a file that is not there.',
    remedy: 'Mend the file that is named. When it is one of generated/, run `fw codegen` first.',
  },
});
