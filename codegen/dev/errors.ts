import { defineErrors } from '../../kernel/errors/index.js';

export const DEV_ERRORS = defineErrors('codegen/dev', {
  FW_DEV_RUNNING: {
    message: 'fw dev runs for this project already: process {pid}, {urls}.',
    cause: 'Two of them would build into the same dist/ and ask for the same ports.',
    remedy: 'Use the one that runs, or end it; its file below .fw/running says which process it is.',
  },
  FW_DEV_NO_PROJECT: {
    message: 'There is no app.config.ts in {folder}. Expected the folder of a project, or one below it.',
    cause: '`fw dev` builds and starts the application of an app.config.ts.',
    remedy: 'Go to the project, or make one with `{fw} new`.',
  },
});
