import { defineErrors } from '../../../kernel/index.js';

export const CORS_ERRORS = defineErrors('middleware/cors', {
  FW_CORS_OPTION: {
    message: 'The option `{field}` of CORS has a character that a header value cannot carry. Expected printable ASCII.',
    cause: 'A CORS option contains a line break or a character outside ASCII.',
    remedy: 'Write origins in their ASCII form, e.g. https://xn--bcher-kva.example.',
  },
});
