import { defineErrors } from '../../../kernel/index.js';

export const SECURITY_ERRORS = defineErrors('middleware/security-headers', {
  FW_SECURITY_HEADER: {
    message:
      'The value of {name} has a character that a header value cannot carry. Expected printable ASCII on one line.',
    cause: 'A security header is configured with a line break or a character outside ASCII.',
    remedy: 'Write the value on one line in ASCII.',
  },
});
