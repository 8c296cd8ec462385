import { defineErrors } from '../../kernel/errors/index.js';

export const LLMS_ERRORS = defineErrors('codegen/llms', {
  FW_LLMS_SOURCES: {
    message: 'The llms files cannot be made, because the sources have mistakes:\n{problems}',
    status: 422,
    cause: 'Models, routes or app.config.ts cannot be read.',
    remedy: 'Correct what the message names; `{fw} codegen` says the same.',
  },
  FW_LLMS_DAMAGED: {
    message: '{path} cannot be read: {problem}. Delete it and run `{fw} codegen`.',
    status: 422,
    cause: 'The file was edited, or was written by another version.',
    remedy: 'Delete it and run `{fw} codegen`.',
  },
});
