import { definePlugin, HttpMiddleware, token } from '../../../kernel/index.js';
import { rateLimitOptionsSchema } from './options.js';
import { newRateLimiter } from './rate-limit.js';
import { RedisConnection } from './redis-connection.js';

export { FixedWindows, type RateLimitStore, type WindowState } from './fixed-window.js';
export type { RateLimiterOptions } from './options.js';
export { newRateLimiter } from './rate-limit.js';
export { redisRateLimitStore, type RedisScripts } from './redis-store.js';

const Connection = token<RedisConnection | null>('fw.middleware.rate-limit.redis');

export default definePlugin({
  id: 'middleware/rate-limit',
  category: 'middleware',
  description: 'Limits requests per client in fixed windows',
  options: rateLimitOptionsSchema,
  needs: ['http'],
  provides: [Connection],
  order: {
    before: [
      'middleware/locale',
      'middleware/cors',
      'middleware/security-headers',
      'middleware/jwt',
      'middleware/etag',
      'middleware/compression',
    ],
    because: 'it refuses requests before auth and handler work is done for them',
  },
  register({ options: { redis, ...options }, log, bind, contribute, probe }) {
    const connection = redis ? new RedisConnection(redis.url, redis.prefix ?? 'fw:ratelimit:', log) : null;
    const handle = newRateLimiter({ ...options, ...(connection && { store: connection }) });
    bind(Connection, () => connection);
    contribute(HttpMiddleware, () => ({ name: 'rate-limit', handle }));
    probe('ratelimit', handle.probe);
  },
  start: (services) => services.get(Connection)?.open(),
  stop: (services) => services.get(Connection)?.close(),
});
