import { defineErrors } from '../../kernel/errors/index.js';

export const VALIDATOR_ERRORS = defineErrors('codegen/validators', {
  FW_CODEGEN_SCHEMA: {
    message: 'Ajv cannot compile the schema of {subject}: {reason}',
    cause:
      'A schema has an unknown keyword value, a reference that leads nowhere, or a pattern that is no regular expression.',
    remedy: 'Correct the schema; the message says what Ajv stumbled over.',
  },
});
