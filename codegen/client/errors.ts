import { defineErrors } from '../../kernel/errors/index.js';

export const CLIENT_ERRORS = defineErrors('codegen/client', {
  FW_CLIENT_FOREIGN_FILE: {
    message:
      '{path} is there already and was not written by `{fw} generate client`. Name another file with --out, or remove it.',
    cause: 'The client would replace a file that somebody wrote.',
    remedy: 'Choose another path, or remove the file.',
  },
});
