import { AppInfo, definePlugin, HttpMiddleware, RedisConnection, token } from '../../../kernel/index.js';
import { rateLimitOptionsSchema } from './options.js';
import { newRateLimiter } from './rate-limit.js';
import { redisRateLimitStore } from './redis-store.js';

export { FixedWindows, type RateLimitStore, type WindowState } from './fixed-window.js';
export type { RateLimiterOptions } from './options.js';
export { newRateLimiter } from './rate-limit.js';
export type { RedisScripts } from '../../../kernel/index.js';
export { redisRateLimitStore } from './redis-store.js';

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
    const connection = redis ? new RedisConnection(redis.url, 'the rate limiter', log) : null;
    const store = connection && redisRateLimitStore(connection, redis?.prefix);
    const handle = newRateLimiter({ ...options, ...(store && { store }) });
    bind(Connection, () => connection);
    contribute(HttpMiddleware, () => ({ name: 'rate-limit', handle, seesRefused: true }));
    probe('ratelimit', handle.probe);
  },
  start(services) {
    const { index, count } = services.get(AppInfo).worker;
    // Logged once, by the first worker.
    if (count > 1 && index === 1 && services.get(Connection) === null) services.log.warn(ownWindows(count));
    return services.get(Connection)?.open();
  },
  stop: (services) => services.get(Connection)?.close(),
});

const ownWindows = (workers: number): string =>
  `each of the ${workers} workers counts requests for itself, so that a client may send up to ${workers} times as many: set \`redis\` of fw/middleware/rate-limit`;
