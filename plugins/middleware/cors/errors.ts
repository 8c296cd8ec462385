import { defineErrors } from '../../../kernel/index.js';

export const CORS_ERRORS = defineErrors('middleware/cors', {
  FW_CORS_OPTION: {
    message: 'The option `{field}` of CORS has a character that a header value cannot carry. Expected printable ASCII.',
    cause: 'A CORS option contains a line break or a character outside ASCII.',
    remedy: 'Write origins in their ASCII form, e.g. https://xn--bcher-kva.example.',
  },
  FW_CORS_PATTERN: {
    message:
      '"{pattern}" in `originPatterns` of CORS is no origin. Expected scheme and host in lower case, and no path, with `*` for one label or any port, e.g. https://*.shop.example.',
    cause: 'A pattern that is no whole origin would match none, or too many.',
    remedy: 'Write scheme://host, with :port where it is not the one of the scheme.',
  },
  FW_CORS_EVERY_ORIGIN: {
    message: '`allowOrigins` of CORS is `*`, so that `originPatterns` and `allowOrigin` would decide nothing.',
    cause: 'Every origin is allowed beside a choice of some.',
    remedy: 'Leave out one of the two.',
  },
});
