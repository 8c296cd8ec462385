import { defineErrors } from '../../../kernel/index.js';

export const COMPRESSION_ERRORS = defineErrors('middleware/compression', {
  FW_COMPRESSION_NO_WASM: {
    message:
      'The option `brotli: "wasm"` of middleware/compression needs the package brotli-wasm. Install it: npm install brotli-wasm',
    cause: 'brotli-wasm is an optional dependency and is not installed.',
    remedy: 'npm install brotli-wasm, or use the brotli of the runtime.',
  },
});
