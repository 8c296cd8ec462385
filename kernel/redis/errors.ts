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
  FW_REDIS_SILENT: {
    message: 'Redis of {owner} has not answered within {ms} ms.',
    status: 503,
    cause: 'Redis is overloaded or cannot be reached any more, or the event loop of this process stood still.',
    remedy: 'Look at `redis-cli --latency` and at SLOWLOG; the request may come again.',
  },
});
