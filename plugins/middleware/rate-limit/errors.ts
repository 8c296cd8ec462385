import { defineErrors } from '../../../kernel/index.js';

export const RATE_LIMIT_ERRORS = defineErrors('middleware/rate-limit', {
  FW_RATE_LIMIT_NO_DRIVER: {
    message: 'The option `redis` of middleware/rate-limit needs the package ioredis. Install it: npm install ioredis',
    cause: 'ioredis is an optional dependency and is not installed.',
    remedy: 'npm install ioredis, or leave `redis` out to count in memory.',
  },
});
