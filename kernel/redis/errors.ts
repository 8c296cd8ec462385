import { defineErrors } from '../errors/index.js';

export const REDIS_ERRORS = defineErrors('kernel/redis', {
  FW_REDIS_NO_DRIVER: {
    message: 'Redis of {owner} needs the package ioredis. Install it: npm install ioredis',
    cause: 'ioredis is an optional dependency and is not installed.',
    remedy: 'npm install ioredis, or leave the option `redis` out to keep the data in memory.',
  },
  FW_REDIS_AWAY: {
    message: 'Redis of {owner} is not connected.',
    status: 503,
    cause: 'A command came before the plugin was started, or after it was stopped.',
    remedy: 'Use it between start and stop.',
  },
});
