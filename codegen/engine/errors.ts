import { defineErrors } from '../../kernel/errors/index.js';

export const CODEGEN_ERRORS = defineErrors('codegen/engine', {
  FW_CODEGEN_SOURCES: {
    message: '{count} found in the sources:\n{problems}',
    cause: 'A declaration that code generation reads is not written as it must be.',
    remedy: 'Correct the lines that the message names; nothing was written.',
  },
  FW_CODEGEN_NO_CONFIG: {
    message: 'No configuration at {path}. Expected app.config.ts with `export default defineApp({ ... })`.',
    cause: 'fw codegen ran in a folder that is not a project.',
    remedy: 'Run it in the folder that app.config.ts stands in.',
  },
  FW_CODEGEN_OUTPUT: {
    message: 'Generators {first} and {second} both write {path}. Exactly one may.',
    cause: 'Two generators gave a file the same path, or one gave it twice.',
    remedy: 'Report it: this is a mistake in a generator.',
  },
  FW_CODEGEN_OUTSIDE: {
    message:
      'Generator {generator} wants to write {path}, which is not inside generated/. Expected a relative path without "..".',
    cause: 'A generator gave a file a path that leaves the output folder.',
    remedy: 'Report it: this is a mistake in a generator.',
  },
  FW_CODEGEN_AFTER_WRITE: {
    message: 'These were written and stand: {files}. The code generation that follows them failed: {reason}',
    status: 500,
    cause: 'The disk is full, generated/ may not be written to, or a source changed while it was read.',
    remedy: 'Mend what the reason names, then run `{fw} codegen`.',
  },
});
